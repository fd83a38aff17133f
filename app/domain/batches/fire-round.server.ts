import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import type { EngineCtx } from '../videos/engine/context'
import { admitWaiting } from '../videos/line.server'
import { lockOwners } from '../videos/locks.server'
import { LANES } from '../videos/types'
import { MAY_GO_ON } from './may-go-on.server'
import { HAS_UNSENT, LOOK_AGAIN_MS, PACE_ALLOWS_AT } from './sent-off.server'

/**
 * How early a round's job is picked up: it then sleeps to the exact moment, so that neither the
 * queue's polling nor a busy worker makes the round late.
 */
const ROUND_LEAD_MS = 400

type Fired = { userId: string; size: number; hasMore: boolean; waitMs: number }

/** Which round is meant: a second job for a round that has gone out finds nothing to do. */
export type RoundRef = { batchId: string; roundNo: number; requestId?: string | undefined }

/**
 * Fires a batch's next round at its time: never early, because the database's clock decides in the
 * same statement that moves the clock on; never in a burst, because the next round counts from this
 * one. It waits while videos of the round before have not gone to the provider, whatever keeps them
 * (decision 31). A batch whose owner is disabled or expired waits as well (the sweep looks again).
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

/** What the next round has to wait for; undefined when there is none to fire. */
async function untilNextRound(
  { db }: EngineCtx,
  { batchId, roundNo }: RoundRef,
): Promise<{ waitMs: number; hasUnsent: boolean } | undefined> {
  return db.row(sql`
    select extract(epoch from ${PACE_ALLOWS_AT} - engine_now())::float * 1000 as "waitMs",
      ${HAS_UNSENT} as "hasUnsent"
    from batches join users on users.id = batches.user_id
    where batches.id = ${batchId} and round_no = ${roundNo} and status = 'processing'
      and next_round_at is not null and ${MAY_GO_ON}`)
}

/** Moves a round on whose predecessor has not gone out; the sweep sees that it is looked after. */
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
    // What was sent late moves the next round on: pages show it, and the sweep does not miss it.
    await tx.run(sql`
      update batches set next_round_at = ${PACE_ALLOWS_AT}
      where id = ${round.batchId} and round_no = ${round.roundNo} and status = 'processing'
        and next_round_at < ${PACE_ALLOWS_AT}`)
    await ctx.queue.add(tx, [roundJob(round, waitMs)])
  })
}

/**
 * The job of a round that is due in so many milliseconds. One that is due now is dated back by the
 * lead as well: the queue's order is then the order in which rounds are due.
 */
export function roundJob(round: RoundRef, waitMs = 0): NewJob {
  return { name: 'batches.round', payload: round, delayMs: Math.max(0, waitMs) - ROUND_LEAD_MS }
}

async function fire(
  ctx: EngineCtx,
  tx: Tx,
  { batchId, roundNo, requestId }: RoundRef,
): Promise<'fired' | 'early'> {
  const owners = await lockOwners(tx, nextOf(batchId))
  const round = await tx.row<Fired>(sql`
    with due as (
      update batches set round_no = round_no + 1,
        next_round_at = greatest(next_round_at, engine_now()) + make_interval(secs => delay_seconds)
      from users
      where batches.id = ${batchId} and batches.round_no = ${roundNo} and batches.status = 'processing'
        and ${PACE_ALLOWS_AT} <= engine_now() and not ${HAS_UNSENT}
        and users.id = batches.user_id and ${MAY_GO_ON}
      returning batches.*
    ), chosen as (
      update videos set awaits_round = false from due
      where videos.id in (
        select waiting.id from videos as waiting
        where waiting.batch_id = ${batchId} and waiting.awaits_round
          and waiting.user_id = any(${owners}::uuid[])
        order by waiting.batch_position limit (select speed_limit from due) for update skip locked)
      returning videos.id, videos.generation
    ), noted as (
      insert into rounds (batch_id, round_no, fired_at, size)
      select due.id, due.round_no, engine_now(), (select count(*) from chosen) from due
      where exists (select 1 from chosen)
    ), entered as (
      insert into line_entries (video_id, generation, user_id, batch_id, lane, state, entered_at)
      select chosen.id, chosen.generation, due.user_id, due.id,
        case when due.kind = 'regeneration' then ${LANES.adminRegeneration}::int else ${LANES.batch}::int end,
        'gated', engine_now()
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

/** The videos that a round would take: they are one user's, or many in a regeneration. */
const nextOf = (batchId: string) => sql`videos.id in (
  select waiting.id from videos as waiting
  where waiting.batch_id = ${batchId} and waiting.awaits_round
  order by waiting.batch_position
  limit (select speed_limit from batches where id = ${batchId}))`

/** Nothing is left to send; a batch whose videos have all ended as well is over. */
async function endRounds(tx: Tx, batchId: string): Promise<void> {
  await tx.run(sql`
    update batches set next_round_at = null,
      status = case when completed_videos + failed_videos + cancelled_videos >= total_videos
        then 'completed'::batch_status else status end,
      finished_at = case when completed_videos + failed_videos + cancelled_videos >= total_videos
        then engine_now() else finished_at end
    where id = ${batchId} and status = 'processing'`)
}
