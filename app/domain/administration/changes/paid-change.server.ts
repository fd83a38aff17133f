import type { Tx } from '~/platform/db/port'
import { days } from '~/lib/time'
import { getPlans } from '../../business/settings.server'
import { databaseNow } from '../../clock.server'
import type { AdminCtx } from '../../context'
import { AppError } from '../../errors'
import { recordPayments, type NewPayment, type PaidTime } from '../../payments/book.server'
import { priceFor } from '../../payments/money'
import type { PaidTerms } from '../../payments/schemas'
import type { PlanName, Plans } from '../../plans/types'
import type { BulkLine } from './bulk-rules'

/** What a user of a change had, and has now. */
export type Paying = Pick<BulkLine, 'id' | 'username'> & {
  before: { plan: PlanName | null; expiryDate: string | null }
  after: { plan: PlanName | null; expiryDate: string | null }
  /** The days before the new end that were sold. Default: those that were added. */
  days?: number
}

type PaidChange = { changeId: string; paid: PaidTerms; users: readonly Paying[] }

/**
 * Records a payment of each user of a change, who gets time or a better plan by it. Throws BAD_INPUT
 * if a user has no plan, or no amount was typed and there is no price.
 */
export async function recordPaid(
  ctx: AdminCtx,
  tx: Tx,
  { changeId, paid, users }: PaidChange,
): Promise<void> {
  const now = (await databaseNow(tx)).toISOString()
  const plans = await getPlans(tx)
  const payments = users.map((user) => paymentOf(user, paid, { now, plans }))
  await recordPayments(ctx, tx, { changeId, ...paid, payments })
}

type Moment = { now: string; plans: Plans }

function paymentOf(user: Paying, paid: PaidTerms, { now, plans }: Moment): NewPayment {
  const { id, username, before, after } = user
  const { plan } = after
  if (plan === null) {
    throw new AppError('BAD_INPUT', `${username} has no plan. Choose one to record a payment.`)
  }
  const time = paidTime(user, now)
  const isSameTime = before.expiryDate === after.expiryDate
  const instead = isSameTime && before.plan !== plan ? before.plan : null
  const amount =
    paid.amount ?? priceFor({ plans, plan, days: daysOf(time), instead }, paid.currency)
  if (amount === null) {
    const problem = 'Type the amount: there is no price for this'
    throw new AppError('BAD_INPUT', problem, { fields: { paidAmount: [problem] } })
  }
  return { userId: id, username, plan, amount, currency: paid.currency, ...time }
}

/** Returns the time that was sold: what was added, or what is left if the end stays. */
export function paidTime({ before, after, days: sold }: Paying, now: string): PaidTime {
  const { expiryDate: to } = after
  if (sold !== undefined && to !== null) {
    return { from: new Date(Date.parse(to) - days(sold)).toISOString(), to }
  }
  const { expiryDate: old } = before
  const isAdded = old !== null && old > now && to !== null && to > old
  return { from: isAdded ? old : now, to }
}

/** The days that an account without an end pays for. */
const MONTH_DAYS = 30

const daysOf = ({ from, to }: PaidTime): number =>
  to === null ? MONTH_DAYS : Math.round((Date.parse(to) - Date.parse(from)) / days(1))
