import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import type { AdminCtx } from '../../context'
import type { OnlineStats } from '../types'

/**
 * A user counts as online for this many minutes after their last page or action (decision Q-43).
 */
const ONLINE_MINUTES = 5

/** Builds the number of users online. */
export const ONLINE_USERS = sql`(
  select count(distinct user_id) from sessions join users on users.id = user_id
    where last_seen_at > engine_now() - make_interval(mins => ${ONLINE_MINUTES})
      and is_active and deleted_at is null)::int`

/** Returns how many users are online, and how many have videos waiting or in progress. */
export async function getOnlineStats(db: Executor): Promise<OnlineStats> {
  return db.one<OnlineStats>(sql`
    select ${ONLINE_USERS} as "onlineUsers",
      (select count(distinct user_id) from videos
        where status in ('pending', 'generating') and deleted_at is null)::int as "generatingUsers"`)
}

/** Like `getOnlineStats`, but returns null on an error. The page then omits its live cards. */
export async function findOnlineStats({ db, log }: AdminCtx): Promise<OnlineStats | null> {
  try {
    return await getOnlineStats(db)
  } catch (error) {
    log.warn({ err: error }, 'online statistics failed')
    return null
  }
}
