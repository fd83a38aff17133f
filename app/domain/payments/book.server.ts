import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Executor, Tx } from '~/platform/db/port'
import { writeAudit } from '../audit/write.server'
import type { AdminCtx } from '../context'
import { isoText } from '../iso-text.server'
import type { PlanName } from '../plans/types'
import { referenceKey } from './rules'
import type { LastPayment, Money, PaymentMethodName } from './types'

/** A payment for one user of a change. `from` and `to` are the time that it paid for. */
export type NewPayment = Money & {
  userId: string
  username: string
  plan: PlanName
  method: PaymentMethodName
  reference: string | null
  from: string
  /** Null: the account has no end. */
  to: string | null
  /** It has the reference of an earlier payment, and the administrator knows that. */
  isRepeatSeen: boolean
}

/**
 * Records payments that the administrator has received, for users of one change, in the transaction
 * that changes the accounts. Undoing the change rejects them.
 */
export async function recordPayments(
  ctx: AdminCtx,
  tx: Tx,
  { changeId, payments }: { changeId: string; payments: readonly NewPayment[] },
): Promise<void> {
  const rows = payments.map((payment) => ({
    id: newId(),
    ...payment,
    referenceKey: referenceKey(payment.reference),
  }))
  await tx.run(sql`
    insert into payments (id, user_id, username, plan, amount, currency, method, reference,
      reference_key, received_at, recorded_by, state, decided_at, decided_by, change_id, period_from,
      period_to, is_repeat_seen)
    select id, "userId", username, plan::plan_name, amount, currency, method, reference,
      "referenceKey", engine_now(), ${ctx.actor.username}, 'confirmed', engine_now(),
      ${ctx.actor.username}, ${changeId}, "from", "to", "isRepeatSeen"
    from json_to_recordset(${JSON.stringify(rows)}::json) as payment(id uuid, "userId" uuid,
      username text, plan text, amount int, currency text, method text, reference text,
      "referenceKey" text, "from" timestamptz, "to" timestamptz, "isRepeatSeen" boolean)`)
  await writeAudit(
    tx,
    ctx,
    rows.map(({ id, username, plan, amount, currency, method, reference }) => ({
      action: 'payment.record' as const,
      subject: { kind: 'payment' as const, id, name: username },
      after: { state: 'confirmed', plan, amount, currency, method, reference },
    })),
  )
}

/**
 * Returns the newest payment of each of these users that was confirmed and not refunded, by user id.
 * For lists: one statement for a page.
 */
export async function lastPaymentsOf(
  db: Executor,
  userIds: readonly string[],
): Promise<Map<string, LastPayment>> {
  const rows = await db.rows<LastPayment & { userId: string }>(sql`
    select someone.id as "userId", plan, amount, currency, method, ${isoText(sql`received_at`)} as "receivedAt"
    from unnest(${[...userIds]}::uuid[]) as someone(id) cross join lateral (
      select * from payments where user_id = someone.id and state = 'confirmed'
      order by received_at desc limit 1) as last`)
  return new Map(rows.map(({ userId, ...payment }) => [userId, payment]))
}
