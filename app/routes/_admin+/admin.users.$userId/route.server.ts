import { allowApiKeys, endCustomerKey } from '~/domain/administration/api-keys.server'
import {
  getCustomerCard,
  saveCustomerNote,
} from '~/domain/administration/customers/customer-card.server'
import { allowKeysInput, endKeyInput, noteInput } from '~/domain/administration/schemas'
import { noteFields } from '~/domain/administration/shown'
import { isId } from '~/lib/ids'
import { textOf } from '~/http/forms/form-data.server'
import { form } from '~/http/forms/forms.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { userForms } from '~/http/actions/user-forms.server'
import { back, done, type Handlers, type Page } from '~/http/actions/user-page.server'
import { latePayments } from '~/http/actions/late-payment-form.server'

/** Returns the form handlers of the page of a customer. */
export function customerForms(page: Page): Handlers {
  return {
    ...userForms(page),
    ...latePayments(page.ctx, back(page)),
    note: form('The note was not saved', noteInput, {
      shown: async (data) => {
        const id = textOf(data, 'id')
        return isId(id) ? { now: noteFields(await getCustomerCard(page.ctx.db, id)) } : null
      },
      run: async (input) => {
        await saveCustomerNote(page.ctx, input)
        return redirectWithToast(back(page), done('Note saved'))
      },
    }),
    'allow-keys': form('Nothing was changed', allowKeysInput, async (input) => {
      const username = await allowApiKeys(page.ctx, input)
      const title = input.isAllowed ? 'API keys allowed' : 'API keys not allowed any more'
      return redirectWithToast(back(page), done(title, username))
    }),
    'end-key': form('Key not ended', endKeyInput, async (input) => {
      const name = await endCustomerKey(page.ctx, input)
      return redirectWithToast(back(page), done('Key ended', name))
    }),
  }
}
