import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { admitWaiting } from '../videos/line.server'
import { cancelUnsent } from './cancel-batch.server'
import { cancelCarried, carryJob } from './carry-over.server'
import { roundJob } from './fire-round.server'
import { lockBatch, noSuchBatch } from './lock-batch.server'
import { getBatch } from './queries.server'
import { NEXT_ROUND_AT } from './round-conditions.server'
import type { BatchView, Cancelled } from './types'

/**
 * Pauses a batch: what is in the line awaits a round again, at its pace after the last one, and no round
 * fires until the batch is resumed. Orders that are being sent are finished. Throws NOT_FOUND, or CONFLICT if the batch has
 * ended, is paused, or has sent everything.
 */
export async function pauseBatch(ctx: UserCtx, id: string): Promise<BatchView> {
  await ctx.db.transaction(async (tx) => {
    const { isPaused, isInLine } = await lockOwnBatch(ctx, tx, id)
    if (isInLine) throw new AppError('CONFLICT', 'This batch waits in line')
    if (isPaused) throw new AppError('CONFLICT', 'This batch is paused already')
    const paused = await tx.run(sql`
      with taken as (delete from line_entries where batch_id = ${id} returning video_id),
        back as (update videos set awaits_round = true from taken where videos.id = taken.video_id)
      update batches set paused_at = engine_now(), next_round_at = coalesce(next_round_at, ${NEXT_ROUND_AT})
      where id = ${id} and (exists (select 1 from taken)
        or exists (select 1 from videos where batch_id = ${id} and awaits_round)
        or exists (select 1 from carried_prompts where batch_id = ${id}))`)
    if (paused === 0) throw allSent()
    await admitWaiting(tx, ctx.queue, ctx.actor.id)
  })
  return getBatch(ctx, id)
}

/**
 * Resumes a paused batch. Its next round fires at once, unless its pace or place says later. Throws
 * NOT_FOUND, or CONFLICT if the batch has ended or is not paused.
 */
export async function resumeBatch(ctx: UserCtx, id: string): Promise<BatchView> {
  await ctx.db.transaction(async (tx) => {
    const { roundNo, isPaused } = await lockOwnBatch(ctx, tx, id)
    if (!isPaused) throw new AppError('CONFLICT', 'This batch is not paused')
    const { carryMs } = await tx.one<{ carryMs: number | null }>(sql`
      update batches set paused_at = null, next_round_at = greatest(next_round_at, engine_now())
      where id = ${id}
      returning extract(epoch from carries_at - engine_now())::float * 1000 as "carryMs"`)
    const { requestId } = ctx
    // One for now would take the place of the one for the next day, and do nothing before it.
    const day = carryMs === null ? [] : [carryJob(id, carryMs)]
    await ctx.queue.add(tx, [roundJob({ batchId: id, roundNo, requestId }), ...day])
  })
  return getBatch(ctx, id)
}

/**
 * Cancels the prompts of a batch that await a round or a later day, and returns their quota units. Those
 * of the present round are still sent. Throws NOT_FOUND, or CONFLICT if the batch has ended or nothing awaits a
 * round. Returns how many were cancelled, and how many units came back: prompts of later days have none.
 */
export async function stopAfterRound(ctx: UserCtx, id: string): Promise<Cancelled> {
  return ctx.db.transaction(async (tx) => {
    const { waiting, carried } = await lockOwnBatch(ctx, tx, id)
    if (waiting + carried === 0) throw allSent()
    await tx.run(sql`update batches set next_round_at = null, paused_at = null where id = ${id}`)
    const units = await cancelUnsent(tx, id, { keepsRound: true })
    // This ends the batch if nothing of it is under way.
    const later = await cancelCarried(ctx, tx, { batchId: id })
    return { prompts: units + later, units }
  })
}

/** Locks a batch of the actor's own videos. Throws like `lockBatch`. */
async function lockOwnBatch(ctx: UserCtx, tx: Tx, id: string) {
  const batch = await lockBatch(ctx, tx, id)
  // An administrator's regeneration has a page of its own.
  if (batch.kind === 'regeneration') throw noSuchBatch()
  return batch
}

const allSent = () => new AppError('CONFLICT', 'All prompts of this batch have been sent')
