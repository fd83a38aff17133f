import type { Tx } from '~/platform/db/port'
import { getPlans } from '../../business/settings.server'
import { databaseNow } from '../../clock.server'
import type { AdminCtx } from '../../context'
import { AppError } from '../../errors'
import { recordPayments, type NewPayment } from '../../payments/book.server'
import type { PaidTerms } from '../../payments/schemas'
import type { PlanName, Plans } from '../../plans/types'
import { listPrice, paidTime, seenText, type Outcome } from '../outcome'
import type { BulkLine } from './bulk-rules'
import { rewardReferrals } from './reward-referral.server'

/** What a user of a change had, and has now. */
export type Paying = Pick<BulkLine, 'id' | 'username'> & {
  /** Null: there was no account. */
  before: { plan: PlanName | null; expiryDate: string | null } | null
  after: { plan: PlanName | null; expiryDate: string | null }
  /** The days before the new end that were sold. Default: those that were added. */
  days?: number | null
}

type PaidChange = {
  changeId: string
  paid: PaidTerms
  users: readonly Paying[]
  /** What was foreseen of the change, and ticked where it surprised. */
  outcomes: readonly Outcome[]
  /** When it was sold. Default: now. */
  at?: string
}

/**
 * Records a payment of each user of a change, who gets time or a better plan by it, and gives what their first
 * one brings them and their inviter. Throws BAD_INPUT
 * if a user has no plan, or no amount was typed and there is no price.
 */
export async function recordPaid(
  ctx: AdminCtx,
  tx: Tx,
  { changeId, paid, users, outcomes, at }: PaidChange,
): Promise<void> {
  const now = at ?? (await databaseNow(tx)).toISOString()
  const plans = await getPlans(tx)
  const payments = users.map((user) => paymentOf(user, paid, { now, plans }))
  await recordPayments(ctx, tx, { changeId, ...paid, seen: seenText(outcomes), payments })
  await rewardReferrals(ctx, tx, changeId)
}

type Moment = { now: string; plans: Plans }

function paymentOf(user: Paying, paid: PaidTerms, moment: Moment): NewPayment {
  const { id, username, after } = user
  const { plan } = after
  if (plan === null) {
    throw new AppError('BAD_INPUT', `${username} has no plan. Choose one to record a payment.`)
  }
  const price = listPrice(user, moment, paid.currency)
  const amount = paid.amount ?? price
  if (amount === null) {
    const problem = 'Type the amount: there is no price for this'
    throw new AppError('BAD_INPUT', problem, { fields: { paidAmount: [problem] } })
  }
  const time = paidTime(user, moment.now)
  return { userId: id, username, plan, amount, price, currency: paid.currency, ...time }
}
