import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import type { EngineCtx } from '../videos/engine/context'
import { admitWaiting } from '../videos/line.server'
import { lockOwners } from '../videos/locks.server'
import { LANES } from '../videos/types'
import { MAY_GO_ON } from './may-go-on.server'

/**
 * How early a round's job is picked up: it then sleeps to the exact moment, so that neither the
 * queue's polling nor a busy worker makes the round late.
 */
export const ROUND_LEAD_MS = 400

type Fired = { userId: string; size: number; hasMore: boolean; waitMs: number }

/** Which round is meant: a second job for a round that has gone out finds nothing to do. */
export type RoundTurn = { batchId: string; roundNo: number }

/**
 * Fires a batch's next round at its time: never early, because the database's clock decides in the
 * same statement that moves the clock on; never in a burst, because the next round counts from this
 * one. A batch whose owner is disabled or expired waits (the sweep looks again).
 */
export async function fireDueRound(ctx: EngineCtx, turn: RoundTurn): Promise<void> {
  for (;;) {
    const waitMs = await untilNextRound(ctx, turn)
    if (waitMs === undefined) return
    if (waitMs > 2 * ROUND_LEAD_MS || ctx.signal.aborted) return comeBack(ctx, turn, waitMs)
    if (waitMs > 0) await ctx.sleep(waitMs)
    const outcome = await ctx.db.transaction((tx) => fire(ctx, tx, turn))
    if (outcome !== 'early') return
  }
}

/** Milliseconds to the next round; undefined when there is none to fire. */
async function untilNextRound(
  { db }: EngineCtx,
  { batchId, roundNo }: RoundTurn,
): Promise<number | undefined> {
  const row = await db.row<{ ms: number }>(sql`
    select extract(epoch from next_round_at - engine_now())::float * 1000 as ms
    from batches join users on users.id = batches.user_id
    where batches.id = ${batchId} and round_no = ${roundNo} and status = 'processing'
      and next_round_at is not null and ${MAY_GO_ON}`)
  return row?.ms
}

async function comeBack(ctx: EngineCtx, turn: RoundTurn, waitMs: number): Promise<void> {
  await ctx.db.transaction((tx) => ctx.queue.add(tx, [roundJob(turn, waitMs)]))
}

/** The job of a round that is due in so many milliseconds. */
export function roundJob(turn: RoundTurn, waitMs = 0): NewJob {
  return { name: 'batches.round', payload: turn, delayMs: Math.max(0, waitMs - ROUND_LEAD_MS) }
}

async function fire(
  ctx: EngineCtx,
  tx: Tx,
  { batchId, roundNo }: RoundTurn,
): Promise<'fired' | 'early'> {
  const owners = await lockOwners(tx, nextOf(batchId))
  const round = await tx.row<Fired>(sql`
    with due as (
      update batches set round_no = round_no + 1,
        next_round_at = greatest(next_round_at, engine_now()) + make_interval(secs => delay_seconds)
      from users
      where batches.id = ${batchId} and batches.round_no = ${roundNo} and batches.status = 'processing'
        and batches.next_round_at <= engine_now() and users.id = batches.user_id and ${MAY_GO_ON}
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
    const next = { batchId, roundNo: roundNo + 1 }
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
