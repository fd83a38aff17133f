import sql from 'sql-template-tag'
import { seconds } from '~/lib/time'
import type { Db } from '~/platform/db/port'
import { poolIds, type Lease } from './leases.server'

// What a short outage of the database leaves in the queue and the queue itself mends after hours
// only. Seen within seconds, because workers look at each of their beats.

/**
 * A job that was taken has begun by then, for a full runner gives its own back sooner; and one that
 * has ended is noted as such, even after an outage.
 */
const UNHEARD_SECONDS = 10

/**
 * Jobs that the queue has held in a worker's name for some seconds. One that the worker does not know
 * was given away by a database that ended before it could say so.
 */
export async function jobsHeld(db: Db, leases: readonly Lease[]): Promise<string[]> {
  const held = await db.rows<{ id: string }>(sql`
    select id::text from graphile_worker.jobs
    where locked_by = any(${poolIds(leases)}::text[])
      and locked_at < now() - make_interval(secs => ${UNHEARD_SECONDS})`)
  return held.map(({ id }) => id)
}

/** The longest that a job which failed waits for its next try; the queue's own pauses grow to hours. */
const RETRY_MS = seconds(10)

/**
 * Brings failed jobs back soon, and lets none of them be given up: what a failure means is decided in
 * our own tables (see task.ts), so it is the world that failed, and nobody knows for how long.
 */
export async function bringBackSoon(db: Db): Promise<void> {
  await db.run(sql`
    select graphile_worker.reschedule_jobs(
      array_agg(id), attempts => 1, run_at => now() + ${RETRY_MS}::float * interval '1 millisecond')
    from graphile_worker.jobs
    where last_error is not null and locked_at is null and attempts < max_attempts
      and run_at > now() + ${RETRY_MS}::float * interval '1 millisecond'
    having count(*) > 0`)
}
