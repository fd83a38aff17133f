import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { unitsOfClip } from '../accounts/columns.server'
import { today } from '../days.server'
import { remainingClips } from './rules'
import type { QuotaView } from './types'

/** Returns a user's quota and usage of today and this month, in the platform's time zone. */
export async function getQuota(
  db: Executor,
  { userId, limit, timeZone }: { userId: string; limit: number; timeZone: string },
): Promise<QuotaView> {
  const row = await db.one<{
    used: number
    inProgress: number
    gifted: number
    month: number
    daysInMonth: number
    resetsAt: Date
    clipUnits: number
  }>(sql`
    select
      coalesce(sum(reserved + charged) filter (where day = today), 0)::int as used,
      coalesce(sum(reserved) filter (where day = today), 0)::int as "inProgress",
      coalesce(sum(gifted) filter (where day = today), 0)::int as gifted,
      coalesce(sum(reserved + charged), 0)::int as month,
      extract(day from month_start + interval '1 month' - interval '1 day')::int as "daysInMonth",
      (today + 1)::timestamp at time zone ${timeZone} as "resetsAt",
      coalesce((select ${unitsOfClip(sql`users.clip_units`)} from users where id = ${userId}), 1) as "clipUnits"
    from (select ${today(timeZone)} as today) as clock
    cross join lateral (select date_trunc('month', today)::date as month_start) as calendar
    left join quota_days on user_id = ${userId} and day between month_start and today
    group by today, month_start`)
  const { used, inProgress, gifted, month, daysInMonth, resetsAt, clipUnits } = row
  return {
    limit: limit + gifted,
    used,
    inProgress,
    remaining: remainingClips(limit + gifted - used, clipUnits),
    clipUnits,
    usedThisMonth: month,
    daysInMonth,
    resetsAt: resetsAt.toISOString(),
    timeZone,
  }
}
