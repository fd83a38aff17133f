import sql, { type Sql } from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Executor, Tx } from '~/platform/db/port'
import { logActivity } from '../activity/write.server'
import type { AdminCtx } from '../context'
import { isoText } from '../iso-text.server'
import type { PlanName } from '../plans/types'
import { IS_PAID } from './list.server'
import { amountText } from './money'
import { refuseRepeat } from './repeats.server'
import { referenceKey } from './rules'
import type { PaidTerms } from './schemas'
import type { BookMethod, LastPaid, LastPayment, Money } from './types'

/** A payment for one user of a change. `from` and `to` are the time that it paid for. */
export type NewPayment = Money & { userId: string; username: string; plan: PlanName } & PaidTime &
  Priced
/** What that costs by the list, in minor units of the payment's currency. Null: there is no price. */
export type Priced = { price: number | null }
export type PaidTime = {
  from: string
  /** Null: the account has no end. */
  to: string | null
}

type Recording = {
  changeId: string
  method: BookMethod
  reference: string | null
  isRepeatSeen: boolean
  /** What surprised about it and was ticked, for the log. */
  seen: string | null
  sold?: PaidTerms['sold']
  payments: readonly NewPayment[]
}

/**
 * Records payments that the administrator has received, for users of one change, in the transaction
 * that changes the accounts. Undoing the change rejects them. Throws CONFLICT if an earlier payment has
 * the reference and that has not been seen. One reference may pay for several users of a change.
 */
export async function recordPayments(ctx: AdminCtx, tx: Tx, recording: Recording): Promise<void> {
  const { changeId, method, reference, isRepeatSeen, seen, sold, payments } = recording
  const key = referenceKey(reference)
  const isRepeated = await refuseRepeat(tx, {
    key,
    screenshot: null,
    id: null,
    isRepeatSeen,
    timeZone: ctx.settings.timeZone,
  })
  const rows = payments.map((payment, i) => ({
    ...payment,
    id: newId(),
    isRepeatSeen: isRepeated || (key !== null && i > 0),
  }))
  const { username } = ctx.actor
  await tx.run(sql`
    insert into payments (id, user_id, username, plan, amount, price, currency, method, reference,
      reference_key, received_at, note, recorded_by, state, decided_at, decided_by, change_id, period_from,
      period_to, is_repeat_seen)
    select id, "userId", username, plan::plan_name, amount, price, currency, ${method}, ${reference}, ${key},
      coalesce(${sold?.at ?? null}::timestamptz, engine_now()), ${sold?.note ?? null}, ${username}, 'confirmed', engine_now(),
      ${username}, ${changeId}, "from", "to",
      "isRepeatSeen"
    from json_to_recordset(${JSON.stringify(rows)}::json) as payment(id uuid, "userId" uuid,
      username text, plan text, amount int, price int, currency text, "from" timestamptz, "to" timestamptz,
      "isRepeatSeen" boolean)`)
  await logActivity(
    tx,
    ctx,
    rows.map(({ id, username: name, plan, amount, currency }) => ({
      action: 'payment.record' as const,
      subject: { kind: 'payment' as const, id, name },
      after: {
        state: 'confirmed',
        plan,
        paid: `${amountText({ amount, currency })} ${currency}`,
        method,
        reference,
        ...(seen !== null && { seen }),
      },
    })),
  )
}

const UNDONE = 'What it paid for was undone'

/**
 * Rejects the confirmed payments of these users of a change, in the transaction that undoes it. What
 * was refunded stays refunded.
 */
export async function rejectUndone(
  ctx: AdminCtx,
  tx: Tx,
  { changeId, userIds }: { changeId: string; userIds: readonly string[] },
): Promise<void> {
  const gone = await tx.rows<{ id: string; username: string }>(sql`
    update payments set state = 'rejected', reason = ${UNDONE}, decided_at = engine_now(),
      decided_by = ${ctx.actor.username}, is_repeat_seen = false
    where change_id = ${changeId} and state = 'confirmed' and user_id = any(${[...userIds]}::uuid[])
    returning id, username`)
  await logActivity(
    tx,
    ctx,
    gone.map(({ id, username: name }) => ({
      action: 'payment.undo' as const,
      subject: { kind: 'payment' as const, id, name },
      before: { state: 'confirmed' },
      after: { state: 'rejected', reason: UNDONE },
    })),
  )
}

/** Returns the number of payments that undoing a change would reject. */
export async function countPaymentsOf(db: Executor, changeId: string): Promise<number> {
  const where = { changeId, state: 'confirmed' as const }
  return db.prisma(({ payment }) => payment.count({ where }))
}

/** Among so many of the newest payments the last one of a person is looked for. */
const NEWEST = 1000

/** Returns how this administrator or helper recorded a payment last, or null if that is long ago. */
export async function lastPaidBy(db: Executor, username: string): Promise<LastPaid | null> {
  const row = await db.row<LastPaid>(sql`
    select method, currency from (
      select method, currency, recorded_by, received_at, id from payments
      order by received_at desc, id desc limit ${NEWEST}) as newest
    where recorded_by = ${username} and ${IS_PAID} order by received_at desc, id desc limit 1`)
  return row ?? null
}

/** Builds the newest confirmed payment of the user with this id, as a row. */
const newestOf = (userId: Sql): Sql => sql`
  (select * from payments where user_id = ${userId} and state = 'confirmed' and ${IS_PAID}
    order by received_at desc limit 1)`

/**
 * Returns the newest payment of each of these users that was confirmed and not refunded, by user id.
 * For lists: one statement for a page.
 */
export async function lastPaymentsOf(
  db: Executor,
  userIds: readonly string[],
): Promise<Map<string, LastPayment>> {
  const rows = await db.rows<LastPayment & { userId: string }>(sql`
    select someone.id as "userId", plan, amount, currency, method,
      ${isoText(sql`received_at`)} as "receivedAt"
    from unnest(${[...userIds]}::uuid[]) as someone(id)
    cross join lateral ${newestOf(sql`someone.id`)} as last`)
  return new Map(rows.map(({ userId, ...payment }) => [userId, payment]))
}
