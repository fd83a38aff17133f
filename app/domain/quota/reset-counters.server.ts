import sql, { empty, type Sql } from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import { thisMonth, today } from '../days.server'

type Reset = { timeZone: string; actorName: string; userId?: string }

/** A user whose counters were reset, and what they were: today's units and this month's. */
export type ResetCounter = { userId: string; day: string; units: number; monthUnits: number }

/**
 * Resets the counters of today and this month to zero, for one user or all users, and writes an
 * adjustment with the administrator's name to each ledger (decision Q-56). Units still reserved
 * settle in their old epoch and change nothing. Returns the users who had anything to reset.
 */
export async function resetCounters(
  tx: Tx,
  { timeZone, actorName, userId }: Reset,
): Promise<readonly ResetCounter[]> {
  const whose: Sql = userId === undefined ? empty : sql`and user_id = ${userId}`
  const zeroed = await tx.rows<ResetCounter>(sql`
    with before as (
      select user_id, day, reserved + charged as used from quota_days
      where day >= ${thisMonth(timeZone)} and reserved + charged > 0 ${whose}
      order by user_id, day for update
    ), zeroed as (
      update quota_days set epoch = epoch + 1, reserved = 0, charged = 0
      from before where quota_days.user_id = before.user_id and quota_days.day = before.day
    )
    select user_id as "userId", ${today(timeZone)} as day, sum(used)::int as "monthUnits",
      coalesce(sum(used) filter (where day = ${today(timeZone)}), 0)::int as units
    from before group by user_id`)
  if (zeroed.length === 0) return zeroed
  await tx.run(sql`
    insert into quota_adjustments (id, user_id, day, units, month_units, reason, actor_name, created_at)
    select id, user_id, day, units, month_units, 'reset', ${actorName}, engine_now()
    from unnest(${zeroed.map(newId)}::uuid[], ${zeroed.map((z) => z.userId)}::uuid[],
      ${zeroed.map((z) => z.day)}::date[], ${zeroed.map((z) => z.units)}::int[],
      ${zeroed.map((z) => z.monthUnits)}::int[]) as given(id, user_id, day, units, month_units)`)
  return zeroed
}
