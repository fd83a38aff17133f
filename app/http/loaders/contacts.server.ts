import { webBoot } from '~/boot/web.server'
import { getContacts, getPaymentAccounts, shownMethods } from '~/domain/business/settings.server'
import type { Contacts } from '~/domain/context'
import type { PaymentMethod } from '~/domain/business/types'

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
