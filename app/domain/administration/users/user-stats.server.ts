import sql from 'sql-template-tag'
import type { AdminCtx } from '../../context'
import { thisMonth } from '../../days.server'
import type { UserStats } from '../types'

/** Returns the figures of the stat cards. Accounts in the trash are not counted. */
export async function getUserStats({ db, settings }: AdminCtx): Promise<UserStats> {
  const month = thisMonth(settings.timeZone)
  // The sum over all users is an index-only scan. A join with thousands of accounts would not be,
  // so the share of deleted users is subtracted.
  const row = await db.one<UserStats>(sql`
    with accounts as (
      select role, is_active, count(*) as many from users where deleted_at is null group by role, is_active)
    select coalesce(sum(many), 0)::int as total,
      coalesce(sum(many) filter (where role = 'admin'), 0)::int as admins,
      coalesce(sum(many) filter (where role = 'editor'), 0)::int as editors,
      coalesce(sum(many) filter (where role = 'user'), 0)::int as users,
      coalesce(sum(many) filter (where is_active), 0)::int as active,
      (coalesce((select sum(used) from quota_months where month = ${month}), 0)
        - coalesce((select sum(used) from users as gone join quota_months on user_id = gone.id
            where gone.deleted_at is not null and month = ${month}), 0))::int as "totalVideos"
    from accounts`)
  return row
}
