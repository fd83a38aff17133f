import { recordLatePayment } from '~/domain/administration/changes/late-payment.server'
import { storedText } from '~/domain/administration/outcome'
import { TICKS } from '~/domain/administration/ticks'
import { latePaymentInput } from '~/domain/administration/schemas'
import type { AdminCtx } from '~/domain/context'
import { paidOf } from '~/domain/payments/schemas'
import { form, type FormHandler } from '~/http/forms/forms.server'

const lateForm = latePaymentInput.extend(TICKS)

/** Returns the form handler that records the payment of what a customer got earlier, and leads to `back`. */
export function latePayments(ctx: AdminCtx, back: string): Record<string, FormHandler> {
  return {
    'record-payment': form('The payment was not recorded', lateForm, async (input) => {
      const paid = paidOf({ ...input, paidMethod: input.paidMethod ?? 'bank' })
      if (!paid) throw new Error('The form records a payment')
      const user = await recordLatePayment(ctx, input.renewal, { paid, seller: { ticks: input } })
      const description = `${storedText(user, ctx.settings.timeZone)} The account stays as it is.`
      return { to: back, toast: { kind: 'success', title: 'Payment recorded', description } }
    }),
  }
}
