import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import { requireProof } from '../accounts/proof.server'
import { logActivity } from '../activity/write.server'
import type { ActivityFacts } from '../activity/types'
import type { AdminCtx } from '../context'
import { AppError } from '../errors'
import type { PlanName } from '../plans/types'
import type { PaidTime, Priced } from './book.server'
import { noSuchPayment } from './list.server'
import { isCurrency } from '~/lib/currencies'
import { amountText } from './money'
import { refuseRepeat } from './repeats.server'
import { amountOf, type RefundInput, type RejectInput } from './schemas'
import type { Money, PaymentState } from './types'

/** A payment that is locked until it is decided. */
export type Locked = Money & {
  id: string
  username: string
  plan: PlanName
  state: PaymentState
  /** Whether the customer claimed it, or a helper asked for it. */
  isClaim: boolean
  key: string | null
  screenshot: string | null
}

/** Locks a payment. Throws NOT_FOUND, or CONFLICT if it is not in one of these states any more. */
export async function lockPayment(
  tx: Tx,
  id: string,
  states: readonly PaymentState[],
): Promise<Locked> {
  if (!isId(id)) throw noSuchPayment()
  const found = await tx.row<Locked>(sql`
    select id, username, plan, amount, currency, state, (recorded_by is null or asked_by is not null) as "isClaim",
      reference_key as key, picture_hash as screenshot from payments where id = ${id} for update`)
  if (!found) throw noSuchPayment()
  if (!states.includes(found.state)) {
    throw new AppError(
      'CONFLICT',
      `This payment is ${found.state}. Somebody else may have decided it.`,
    )
  }
  return found
}

/**
 * Notes that a helper asks the administrators to decide a claim, and returns it. Throws NOT_FOUND, or
 * CONFLICT if it is decided or was asked for already.
 */
export async function markAsked(tx: Tx, id: string, askedBy: string): Promise<Locked> {
  const claim = await lockPayment(tx, id, ['claimed'])
  const changed = await tx.run(sql`
    update payments set asked_by = ${askedBy} where id = ${id} and asked_by is null`)
  if (changed === 0) throw new AppError('CONFLICT', 'This has been asked already')
  return claim
}

type Confirmation = PaidTime &
  Priced & {
    claim: Locked
    changeId: string
    userId: string
    isRepeatSeen: boolean
    /** What surprised about it and was ticked, for the log. */
    seen: string | null
  }

/**
 * Confirms a locked claim for a change of the account. Throws CONFLICT if another payment has its
 * reference or its screenshot and that has not been seen.
 */
export async function markConfirmed(
  ctx: AdminCtx,
  tx: Tx,
  { claim, changeId, userId, from, to, price, seen, isRepeatSeen }: Confirmation,
): Promise<void> {
  const { id, key, screenshot, plan } = claim
  const isRepeat = await refuseRepeat(tx, {
    key,
    screenshot,
    id,
    isRepeatSeen,
    timeZone: ctx.settings.timeZone,
  })
  await tx.run(sql`
    update payments set state = 'confirmed', reason = null, decided_at = engine_now(),
      decided_by = ${ctx.actor.username}, change_id = ${changeId}, user_id = ${userId}, price = ${price},
      period_from = ${from}::timestamptz, period_to = ${to}::timestamptz, is_repeat_seen = ${isRepeat}
    where id = ${id}`)
  const facts = {
    plan,
    paid: paidText(claim),
    ...(isRepeat && { isRepeatSeen: true }),
    ...(seen !== null && { seen }),
  }
  await note(ctx, tx, { claim, action: 'payment.confirm', after: { state: 'confirmed', ...facts } })
}

/** Rejects a claim. Its claimant reads the reason. Throws NOT_FOUND, CONFLICT, PASSWORD_NEEDED. */
export async function rejectClaim(ctx: AdminCtx, { id, reason }: RejectInput): Promise<string> {
  requireProof(ctx, 'today')
  return ctx.db.transaction(async (tx) => {
    const claim = await lockPayment(tx, id, ['claimed'])
    await tx.run(sql`
      update payments set state = 'rejected', reason = ${reason}, decided_at = engine_now(),
        decided_by = ${ctx.actor.username} where id = ${id}`)
    await note(ctx, tx, { claim, action: 'payment.reject', after: { state: 'rejected', reason } })
    return claim.username
  })
}

/**
 * Notes that an amount was given back. The account stays as it is: undoing the change takes the time
 * back. Throws NOT_FOUND, CONFLICT, BAD_INPUT for more than was paid, PASSWORD_NEEDED.
 */
export async function refundPayment(
  ctx: AdminCtx,
  { id, reason, amount }: RefundInput,
): Promise<string> {
  requireProof(ctx)
  return ctx.db.transaction(async (tx) => {
    const claim = await lockPayment(tx, id, ['confirmed'])
    const { currency } = claim
    const refunded = isCurrency(currency) ? amountOf('amount', amount, currency) : 0
    if (refunded > claim.amount) {
      const problem = `Only ${paidText(claim)} was paid`
      throw new AppError('BAD_INPUT', problem, { fields: { amount: [problem] } })
    }
    await tx.run(sql`
      update payments set state = 'refunded', reason = ${reason}, refunded = ${refunded},
        decided_at = engine_now(), decided_by = ${ctx.actor.username} where id = ${id}`)
    const after = { state: 'refunded', refunded: paidText({ amount: refunded, currency }), reason }
    await note(ctx, tx, { claim, action: 'payment.refund', after })
    return claim.username
  })
}

type Noted = {
  claim: Locked
  action: 'payment.confirm' | 'payment.reject' | 'payment.refund'
  after: ActivityFacts
}

const note = (ctx: AdminCtx, tx: Tx, { claim, action, after }: Noted): Promise<void> =>
  logActivity(tx, ctx, {
    action,
    subject: { kind: 'payment', id: claim.id, name: claim.username },
    before: { state: claim.state },
    after,
  })

/** An amount as the log has it, which is the same for every reader. */
const paidText = (money: Money): string => `${amountText(money)} ${money.currency}`
