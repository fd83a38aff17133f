import sql, { empty, type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Executor } from '~/platform/db/port'
import { requireProof } from '../../accounts/proof.server'
import type { AdminCtx } from '../../context'
import { AppError } from '../../errors'
import { isoText } from '../../iso-text.server'
import type { PaidTerms } from '../../payments/schemas'
import type { PlanName } from '../../plans/types'
import { RENEW_DAYS } from './bulk-rules'
import { recordPaid } from './paid-change.server'

/** A renewal in force for which no payment is recorded. */
export type UnpaidRenewal = {
  /** Names the change and its user. */
  id: string
  changeId: string
  userId: string
  username: string
  /** The plan that the customer has now. */
  plan: PlanName | null
  at: string
  by: string
  /** The end that it gave, and the days before it that were sold. */
  to: string
  days: number
}

/** For so many days a renewal without a payment is listed. */
const LISTED_DAYS = 56
const MOST_LISTED = 100

/** A book entry is never removed, and one of each user of a change is all that there can be. */
const UNPAID = sql`not exists (select from payments
  where payments.change_id = line.change_id and payments.user_id = line.user_id)`

const renewals = (where: Sql, rest: Sql = empty): Sql => sql`
  select bulk_changes.id || '.' || users.id as id, bulk_changes.id as "changeId", users.id as "userId",
    username, plan, ${isoText(sql`bulk_changes.created_at`)} as at, actor_name as by,
    after->>'expiryDate' as "to",
    case when kind = 'renew' then ${RENEW_DAYS}::int
      else round(extract(epoch from (after->>'expiryDate')::timestamptz
        - greatest((before->>'expiryDate')::timestamptz, bulk_changes.created_at)) / 86400)::int end as days
  from bulk_change_users as line join bulk_changes on bulk_changes.id = change_id
  join users on users.id = line.user_id and users.deleted_at is null
  where kind in ('renew', 'add-days') and (undone_at is null or is_skipped)
    and after->>'expiryDate' is not null and ${where} ${rest}`

/** Lists the newest renewals of the last weeks without a payment; of one customer if `userId` is given. */
export const listUnpaid = (
  { db }: AdminCtx,
  userId: string | null = null,
): Promise<UnpaidRenewal[]> =>
  db.rows<UnpaidRenewal>(
    renewals(
      sql`bulk_changes.created_at >= engine_now() - make_interval(days => ${LISTED_DAYS}::int)
        and ${userId === null ? sql`true` : sql`line.user_id = ${userId}`} and ${UNPAID}`,
      sql`order by bulk_changes.created_at desc, users.id limit ${MOST_LISTED}`,
    ),
  )

/** Returns a renewal without a payment, or null: there is none, or it has a payment by now. */
export async function findUnpaid(db: Executor, id: string | null): Promise<UnpaidRenewal | null> {
  const [changeId = '', userId = ''] = id?.split('.') ?? []
  if (!isId(changeId) || !isId(userId)) return null
  const row = await db.row<UnpaidRenewal>(
    renewals(sql`line.change_id = ${changeId} and line.user_id = ${userId} and ${UNPAID}`),
  )
  return row ?? null
}

/**
 * Records a payment of an earlier renewal, and returns the customer's name. The account stays as it is;
 * undoing the renewal rejects the payment. Throws BAD_INPUT, PASSWORD_NEEDED, and CONFLICT if the renewal
 * was undone or has a payment, or if another payment has the reference and that has not been seen.
 */
export async function recordLatePayment(
  ctx: AdminCtx,
  id: string,
  paid: PaidTerms,
): Promise<string> {
  requireProof(ctx, 'today')
  const [changeId = ''] = id.split('.')
  return ctx.db.transaction(async (tx) => {
    // Of two administrators, and of this and an undo, the second one waits here.
    if (isId(changeId))
      await tx.run(sql`select 1 from bulk_changes where id = ${changeId} for update`)
    const renewal = await findUnpaid(tx, id)
    if (!renewal) throw new AppError('CONFLICT', ALREADY)
    const { userId, username, plan, days, to } = renewal
    const user = {
      id: userId,
      username,
      days,
      before: { plan, expiryDate: null },
      after: { plan, expiryDate: to },
    }
    await recordPaid(ctx, tx, { changeId, paid, users: [user] })
    return username
  })
}

const ALREADY = 'This renewal was undone, or somebody has recorded its payment already.'
