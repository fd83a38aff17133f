import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import type { EngineCtx } from '../videos/engine/context'
import { admitWaiting } from '../videos/line.server'
import { lockOwnersAnd } from '../videos/locks.server'
import { LANES } from '../videos/types'
import {
  HAS_UNSENT,
  LOOK_AGAIN_MS,
  ROUNDS_ALLOWED,
  PACE_ALLOWS_AT,
} from './round-conditions.server'

/**
 * How early a round's job is picked up. The job then sleeps until the exact moment, so that neither
 * the queue's polling interval nor a busy worker delays the round.
 */
const ROUND_LEAD_MS = 400

type Fired = { userId: string; size: number; hasMore: boolean; waitMs: number }

/**
 * Identifies one round of a batch. A second job for a round that has already fired does nothing.
 */
export type RoundRef = { batchId: string; roundNo: number; requestId?: string | undefined }

/**
 * Fires a batch's next round when it is due. A round is never early, because the database clock
 * decides in the same statement that sets the next round's time. Rounds never burst, because the
 * next round is timed from this one. The round waits while videos of the previous round have not
 * been sent to the provider, for whatever reason (decision 74). If the batch's owner is disabled or
 * expired, the job ends and the sweep adds a new one later.
 */
export async function fireDueRound(ctx: EngineCtx, round: RoundRef): Promise<void> {
  for (;;) {
    const next = await untilNextRound(ctx, round)
    if (next === undefined) return
    const { waitMs, hasUnsent } = next
    if (waitMs <= 0 && hasUnsent) return postpone(ctx, round)
    if (waitMs > 2 * ROUND_LEAD_MS || ctx.signal.aborted) return reschedule(ctx, round, waitMs)
    if (waitMs > 0) await ctx.sleep(waitMs)
    const outcome = await ctx.db.transaction((tx) => fire(ctx, tx, round))
    if (outcome !== 'early') return
  }
}

/** Returns how long the next round has to wait, or undefined if there is no round to fire. */
async function untilNextRound(
  { db }: EngineCtx,
  { batchId, roundNo }: RoundRef,
): Promise<{ waitMs: number; hasUnsent: boolean } | undefined> {
  return db.row(sql`
    select extract(epoch from ${PACE_ALLOWS_AT} - engine_now())::float * 1000 as "waitMs",
      ${HAS_UNSENT} as "hasUnsent"
    from batches join users on users.id = batches.user_id
    where batches.id = ${batchId} and round_no = ${roundNo} and status = 'processing'
      and next_round_at is not null and paused_at is null and ${ROUNDS_ALLOWED}`)
}

/**
 * Postpones a round whose predecessor has not been sent completely. The sweep repairs a lost job.
 */
async function postpone(ctx: EngineCtx, round: RoundRef): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const moved = await tx.run(sql`
      update batches set next_round_at = engine_now() + ${LOOK_AGAIN_MS}::float * interval '1 millisecond'
      where id = ${round.batchId} and round_no = ${round.roundNo} and status = 'processing'
        and next_round_at <= engine_now()`)
    if (moved > 0) await ctx.queue.add(tx, [roundJob(round, LOOK_AGAIN_MS)])
  })
}

async function reschedule(ctx: EngineCtx, round: RoundRef, waitMs: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Orders that were sent late postpone the next round. Storing the new time shows it on pages
    // and keeps the sweep from treating the round as late.
    await tx.run(sql`
      update batches set next_round_at = ${PACE_ALLOWS_AT}
      where id = ${round.batchId} and round_no = ${round.roundNo} and status = 'processing'
        and next_round_at < ${PACE_ALLOWS_AT}`)
    await ctx.queue.add(tx, [roundJob(round, waitMs)])
  })
}

/**
 * Returns the job of a round that is due in `waitMs` milliseconds. The lead is subtracted even from
 * jobs that are due now, so that the queue runs rounds in the order in which they are due.
 */
export function roundJob(round: RoundRef, waitMs = 0): NewJob {
  return { name: 'batches.round', payload: round, delayMs: Math.max(0, waitMs) - ROUND_LEAD_MS }
}

async function fire(
  ctx: EngineCtx,
  tx: Tx,
  { batchId, roundNo, requestId }: RoundRef,
): Promise<'fired' | 'early'> {
  const owners = await lockOwnersAnd(tx, concernedBy(batchId), ownerOf(batchId))
  const round = await tx.row<Fired>(sql`
    with due as (
      update batches set round_no = round_no + 1,
        next_round_at = greatest(next_round_at, engine_now()) + make_interval(secs => delay_seconds)
      from users
      where batches.id = ${batchId} and batches.round_no = ${roundNo} and batches.status = 'processing'
        and next_round_at is not null and paused_at is null and ${PACE_ALLOWS_AT} <= engine_now() and not ${HAS_UNSENT}
        and users.id = batches.user_id and ${ROUNDS_ALLOWED}
      returning batches.*
    ), chosen as (
      update videos set awaits_round = false from due
      where videos.id in (
        select waiting.id from videos as waiting
        where waiting.batch_id = ${batchId} and waiting.awaits_round
          and waiting.user_id = any(${owners}::uuid[])
        order by waiting.batch_position limit (select speed_limit from due) for update skip locked)
      returning videos.id, videos.generation, videos.user_id
    ), noted as (
      insert into rounds (batch_id, round_no, fired_at, size)
      select due.id, due.round_no, engine_now(), (select count(*) from chosen) from due
      where exists (select 1 from chosen)
    ), entered as (
      insert into line_entries (video_id, generation, user_id, batch_id, lane, route, state, entered_at)
      select chosen.id, chosen.generation, due.user_id, due.id,
        case when due.kind = 'regeneration' then ${LANES.adminRegeneration}::int else ${LANES.batch}::int end,
        route_of(chosen.user_id, due.id), 'gated', engine_now()
      from chosen, due
    )
    select due.user_id as "userId", (select count(*)::int from chosen) as size,
      due.gathered_to is not null or exists (
        select 1 from videos where batch_id = ${batchId} and awaits_round
        offset (select count(*) from chosen) limit 1) as "hasMore",
      extract(epoch from due.next_round_at - engine_now())::float * 1000 as "waitMs"
    from due`)
  if (!round) return 'early'
  if (round.size > 0) await admitWaiting(tx, ctx.queue, round.userId)
  if (round.hasMore) {
    const next = { batchId, roundNo: roundNo + 1, requestId }
    await ctx.queue.add(tx, [roundJob(next, round.waitMs)])
  } else await endRounds(tx, batchId)
  return 'fired'
}

/**
 * Condition for the videos that the next round takes, and for those whose orders are being looked
 * up. With their owners locked, such a video returns to the line either before the round or after
 * it. In a regeneration the videos may belong to many users.
 */
const concernedBy = (batchId: string) => sql`videos.id in (
  (select waiting.id from videos as waiting
    where waiting.batch_id = ${batchId} and waiting.awaits_round
    order by waiting.batch_position
    limit (select speed_limit from batches where id = ${batchId}))
  union all
  select video_id from attempts where batch_id = ${batchId} and state = 'unknown')`

/**
 * The owner's gallery is locked in any case: a batch may get prompts for a new day while a round without
 * any ends, and the next batch in line starts when one ends.
 */
const ownerOf = (batchId: string) => sql`(select user_id from batches where id = ${batchId})`

/** Marks a batch as having no more rounds, and ends it if all its videos have ended. */
async function endRounds(tx: Tx, batchId: string): Promise<void> {
  await tx.run(sql`
    update batches set next_round_at = null where id = ${batchId} and status = 'processing'`)
  await tx.run(sql`select end_batch_if_done(${batchId})`)
}
