import { recordLatePayment } from '~/domain/administration/changes/late-payment.server'
import { latePaymentInput } from '~/domain/administration/schemas'
import type { AdminCtx } from '~/domain/context'
import { paidOf } from '~/domain/payments/schemas'
import { form, type FormHandler } from '~/http/forms/forms.server'
import { UNPAID_FAILED } from '~/lib/failure-titles'

/** Returns the form handler that records the payment of an earlier renewal, and leads to `back`. */
export function latePayments(
  ctx: AdminCtx,
  back: string,
): Record<keyof typeof UNPAID_FAILED, FormHandler> {
  return {
    'record-payment': form(
      UNPAID_FAILED['record-payment'],
      latePaymentInput,
      async ({ renewal, ...fields }) => {
        const paid = paidOf({ ...fields, isPaid: true })
        const username = paid && (await recordLatePayment(ctx, renewal, paid))
        const description = `${username}: the end of the account stays as it is.`
        return { to: back, toast: { kind: 'success', title: 'Payment recorded', description } }
      },
    ),
  }
}
