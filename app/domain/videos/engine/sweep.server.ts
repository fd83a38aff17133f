import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../../context'
import { admitWaiting, DISPATCH_NOW } from '../line.server'
import { LANES } from '../types'
import { ACTIVE } from './attempts.server'
import { forgetFailures } from './breaker.server'
import { forgetGates } from './gates.server'

/** Entries that have waited longer than this have lost their job. */
const LATE = sql`engine_now() - interval '30 seconds'`
const MOST_AT_ONCE = 500

type SweepDeps = Pick<Deps, 'db' | 'queue' | 'log' | 'provider' | 'otherProviders'>

/**
 * Repairs what only a crash can cause: unfinished videos without a line entry or attempt, and a line
 * whose dispatch job was lost. Returns how many videos it repaired.
 */
export async function sweep(deps: SweepDeps): Promise<number> {
  const { db, queue, log } = deps
  const lostVideos = await db.transaction((tx) => requeueLostVideos(tx, queue))
  await db.transaction((tx) => wakeTheLine(tx, queue))
  await forgetFailures(db)
  await forgetGates(deps)
  if (lostVideos > 0) log.warn({ lostVideos }, 'repaired the line')
  return lostVideos
}

async function requeueLostVideos(tx: Tx, queue: Deps['queue']): Promise<number> {
  const lost = await tx.rows<{ userId: string }>(sql`
    insert into line_entries (video_id, generation, user_id, lane, route, state, entered_at)
    select id, generation, user_id, ${LANES.batch}, route_of(user_id, batch_id), 'gated', engine_now() from videos
    where status in ('pending', 'generating') and deleted_at is null and not awaits_round
      and created_at < ${LATE}
      and not exists (select 1 from line_entries where video_id = videos.id)
      and not exists (select 1 from attempts where video_id = videos.id
        and state in (${ACTIVE}))
    limit ${MOST_AT_ONCE}
    on conflict do nothing
    returning user_id as "userId"`)
  for (const userId of new Set(lost.map((row) => row.userId))) await admitWaiting(tx, queue, userId)
  return lost.length
}

/** Looks at late entries again. They may be late only because the service is busy. */
async function wakeTheLine(tx: Tx, queue: Deps['queue']): Promise<void> {
  const gated = await tx.rows<{ userId: string }>(sql`
    select distinct user_id as "userId" from line_entries
    where state = 'gated' and entered_at < ${LATE} limit ${MOST_AT_ONCE}`)
  for (const { userId } of gated) await admitWaiting(tx, queue, userId)
  const waiting = await tx.row(sql`
    select 1 from line_entries
    where (state = 'ready' and entered_at < ${LATE}) or (state = 'held' and wake_at < ${LATE}) limit 1`)
  if (waiting) await queue.add(tx, [DISPATCH_NOW])
}
