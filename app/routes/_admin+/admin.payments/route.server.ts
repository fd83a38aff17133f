import {
  accountOf,
  confirmClaim,
  foreseeClaim,
  recentRenewalOf,
} from '~/domain/administration/confirm-claim.server'
import { renewedEnd } from '~/domain/administration/changes/bulk-rules'
import { foreseeReward } from '~/domain/administration/changes/reward-referral.server'
import type { AdminCtx } from '~/domain/context'
import { refundPayment, rejectClaim } from '~/domain/payments/decide.server'
import { findPayment } from '~/domain/payments/list.server'
import { storedState, storedText } from '~/domain/administration/outcome'
import { TICKS } from '~/domain/administration/ticks'
import { findRepeats } from '~/domain/payments/repeats.server'
import { refundDue } from '~/domain/payments/rules'
import { confirmInput, refundInput, rejectInput } from '~/domain/payments/schemas'
import { form, type FormHandler } from '~/http/forms/forms.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { closedAddress, dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { handOn, toHandOn } from '~/http/actions/user-hand-on.server'

const confirmForm = confirmInput.extend(TICKS)

/** Returns the form handlers of the book of payments by intent. */
export function paymentForms(ctx: AdminCtx, search: string): Record<string, FormHandler> {
  const back = paths.admin.payments + closedAddress(search)
  return {
    'confirm-payment': form('The payment was not confirmed', confirmForm, async (input) => {
      const { user, password } = await confirmClaim(ctx, input, { ticks: input })
      const description = storedText(user, ctx.settings.timeZone)
      const toast = { kind: 'success', title: 'Payment confirmed', description } as const
      // Nobody is told of a renewal with which they cannot go on.
      if (storedState(user) !== 'ok') return { to: back, toast }
      const kind = password === null ? 'renewed' : 'quick'
      const headers = await handOn(ctx, { kind, ...toHandOn(user), password, bearerToken: null })
      const shown = paths.admin.payments + dialogAddress(search, 'credentials')
      return redirectWithToast(shown, toast, headers)
    }),
    'reject-payment': form('The payment was not rejected', rejectInput, async (input) => {
      const description = `${await rejectClaim(ctx, input)} reads your reason.`
      return { to: back, toast: { kind: 'success', title: 'Payment rejected', description } }
    }),
    'refund-payment': form('The refund was not recorded', refundInput, async (input) => {
      const description = `The account of ${await refundPayment(ctx, input)} stays as it is.`
      return { to: back, toast: { kind: 'success', title: 'Refund recorded', description } }
    }),
  }
}

/** Returns what the dialog about one payment shows, or null if there is no such payment. */
export async function aboutPayment(ctx: AdminCtx, id: string | null, now: Date) {
  const payment = await findPayment(ctx.db, id)
  if (!payment) return null
  const [account, repeats] = await Promise.all([
    accountOf(ctx, payment),
    findRepeats(ctx.db, payment),
  ])
  const renewal = account && (await recentRenewalOf(ctx, account.id))
  const ways = await foreseeClaim(ctx, payment, account)
  const reward = account && (await foreseeReward(ctx.db, account.id))
  return {
    reward,
    ways,
    payment,
    repeats,
    renewal,
    account: account && { ...account, renewedEnd: renewedEnd(account, now) },
    refund: refundDue(payment, now),
  }
}
export type AboutPayment = NonNullable<Awaited<ReturnType<typeof aboutPayment>>>
