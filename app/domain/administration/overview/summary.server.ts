import sql from 'sql-template-tag'
import { getOnlineStats } from './online.server'
import type { AdminCtx } from '../../context'
import { getPoolSummary } from '../../tokens/pool-health.server'
import { SILENT_SECONDS } from '../../videos/engine/processes.server'

/** The most important figures of the platform for an administrator. */
export type Summary = {
  users: number
  onlineUsers: number
  generatingUsers: number
  /** How long the next video of the line has been waiting; null if none waits. */
  queueSeconds: number | null
  /** Videos of the line that are on hold. */
  held: number
  /** Worker processes with a fresh heartbeat, however many runners each has. */
  workers: number
  pool: { usable: number; total: number }
}

/**
 * Returns the summary on the overview and above an administrator's own videos (decision Q-1). Reads a few
 * rows and no videos.
 */
export async function getSummary(ctx: AdminCtx): Promise<Summary> {
  const [online, pool, row] = await Promise.all([
    getOnlineStats(ctx.db),
    getPoolSummary(ctx),
    ctx.db.one<Pick<Summary, 'users' | 'queueSeconds' | 'held' | 'workers'>>(sql`
      select (select count(*) from users where deleted_at is null)::int as users,
        (select extract(epoch from engine_now() - entered_at) from line_entries
          where state = 'ready' order by lane, turn, entered_at limit 1)::int as "queueSeconds",
        (select count(*)::int from line_entries where state = 'held') as held,
        (select count(*) from worker_processes
          where beat_at > engine_now() - make_interval(secs => ${SILENT_SECONDS}))::int as workers`),
  ])
  return { ...row, ...online, pool: { usable: pool.ok, total: pool.total } }
}
