import sql from 'sql-template-tag'
import type { AdminCtx } from '../context'
import type { UserStats } from './types'

/** The stat cards' figures; accounts in the trash do not count. */
export async function getUserStats({ db, settings }: AdminCtx): Promise<UserStats> {
  const month = sql`date_trunc('month', engine_now() at time zone ${settings.timeZone})::date`
  // Everybody's sum is read from an index alone; joining thousands of accounts to it is not.
  const row = await db.row<UserStats>(sql`
    select count(*)::int as total,
      count(*) filter (where role = 'admin')::int as admins,
      count(*) filter (where role = 'editor')::int as editors,
      count(*) filter (where role = 'user')::int as users,
      count(*) filter (where is_active)::int as active,
      (coalesce((select sum(used) from quota_months where month = ${month}), 0)
        - coalesce((select sum(used) from users as gone join quota_months on user_id = gone.id
            where gone.deleted_at is not null and month = ${month}), 0))::int as "totalVideos"
    from users where deleted_at is null`)
  if (!row) throw new Error('counting gave no row')
  return row
}
