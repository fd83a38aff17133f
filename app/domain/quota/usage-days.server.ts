import sql from 'sql-template-tag'
import type { UserCtx } from '../context'
import { today } from '../days.server'

/** Units of a day. Those in progress are in neither number. */
export type UsageDay = {
  /** YYYY-MM-DD, in the platform's time zone. */
  day: string
  charged: number
  returned: number
}

/**
 * Returns the actor's units of each of the last `count` days, today last, also of days without any.
 * Reads one row per day, however long the ledger is.
 */
export const readUsageDays = (
  { db, actor, settings }: UserCtx,
  count: number,
): Promise<UsageDay[]> =>
  db.rows<UsageDay>(sql`
    select shown.day::text as day, coalesce(charged, 0) as charged, coalesce(returned, 0) as returned
    from (select ${today(settings.timeZone)} as last) as clock
    cross join lateral (select last - back as day
      from generate_series(0, ${count - 1}::int) as back) as shown
    left join quota_days on user_id = ${actor.id} and quota_days.day = shown.day
    order by shown.day`)
