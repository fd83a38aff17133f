import { webBoot } from '~/boot/web.server'
import {
  getContacts,
  getPaymentAccounts,
  getPlans,
  shownMethods,
} from '~/domain/business/settings.server'
import type { Contacts } from '~/domain/context'
import type { PaymentMethod } from '~/domain/business/types'
import { DEFAULT_PLANS } from '~/domain/plans/catalogue'
import type { Plans } from '~/domain/plans/types'

/**
 * Returns how visitors reach the operator. While the database does not answer, what the environment
 * says: the public pages stay readable.
 */
export async function readContacts(): Promise<Contacts> {
  const { deps } = webBoot()
  try {
    return await getContacts(deps)
  } catch (error) {
    deps.log.warn({ err: error }, 'the contacts could not be read')
    return deps.settings.business.contacts
  }
}

/**
 * Returns the ways to pay that have an account. While the database does not answer, none: an account
 * that was replaced must not be shown.
 */
export async function readPaymentMethods(): Promise<PaymentMethod[]> {
  const { deps } = webBoot()
  try {
    return shownMethods(await getPaymentAccounts(deps))
  } catch (error) {
    deps.log.warn({ err: error }, 'the payment accounts could not be read')
    return []
  }
}

let lastPlans: Plans = DEFAULT_PLANS

/** Returns the plans as sold now. While the database does not answer, as they were at the last look. */
export async function readPlans(): Promise<Plans> {
  const { deps } = webBoot()
  try {
    lastPlans = await getPlans(deps.db)
  } catch (error) {
    deps.log.warn({ err: error }, 'the plans could not be read')
  }
  return lastPlans
}
