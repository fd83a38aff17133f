import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../../context'

/** How many videos one transaction sends off. */
const BATCH = 50
/** Names the lock that makes the count of free places and their taking one step. */
const DISPATCH_LOCK = 7_301

type DispatchDeps = Pick<Deps, 'db' | 'queue' | 'provider' | 'settings'>

/** Sends off what waits in the line, users in turn, until the caps are reached or nobody waits. */
export async function dispatchWaiting(deps: DispatchDeps): Promise<void> {
  for (;;) {
    const sent = await deps.db.transaction((tx) => sendOff(deps, tx))
    if (sent < BATCH) return
  }
}

async function sendOff({ queue, provider, settings }: DispatchDeps, tx: Tx): Promise<number> {
  await tx.run(sql`select pg_advisory_xact_lock(${DISPATCH_LOCK})`)
  await tx.run(sql`
    update line_entries set state = 'ready', hold_reason = null, wake_at = null
    where state = 'held' and wake_at <= engine_now()`)
  const cap = Math.min(settings.maxInFlight, provider.can.maxInFlight ?? Infinity)
  const attempts = await tx.rows<{ id: string }>(sql`
    with room as (
      select greatest(0, ${cap}::int - count(*)) as places from attempts
      where state in ('queued', 'submitting', 'submitted', 'fetching', 'unknown')
    ), next as (
      select * from line_entries where state = 'ready'
      order by lane, turn, entered_at limit least(${BATCH}, (select places from room))
      for update skip locked
    ), gone as (
      delete from line_entries using next where line_entries.video_id = next.video_id
    ), marked as (
      update videos set status = 'generating' from next
      where videos.id = next.video_id and videos.generation = next.generation
    )
    insert into attempts (id, video_id, generation, n, user_id, lane, provider, model, account_scope,
      deadline_at, created_at)
    select gen_random_uuid(), next.video_id, next.generation,
      1 + (select count(*) from attempts as earlier
        where earlier.video_id = next.video_id and earlier.generation = next.generation),
      next.user_id, next.lane, ${provider.kind}, ${provider.model}, ${provider.kind},
      engine_now() + ${provider.can.deadlineMs}::float * interval '1 millisecond', engine_now()
    from next
    returning id`)
  await queue.add(
    tx,
    attempts.map(({ id }) => ({ name: 'videos.submit', payload: { attemptId: id } })),
  )
  return attempts.length
}
