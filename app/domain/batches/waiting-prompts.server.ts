import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { settleCharges } from '../quota/charges.server'
import { cancelledGeneration } from '../videos/generations.server'
import { lockBatch } from './lock-batch.server'
import { BATCH_LIMITS } from './rules'
import type { WaitingPrompt } from './types'

type Subject = { batchId: string; videoId: string }

/** Lists the prompts of one of the actor's own batches that await a round, in order, at most a hundred. */
export const listWaitingPrompts = (
  { db, actor }: UserCtx,
  batchId: string,
): Promise<WaitingPrompt[]> =>
  db.rows<WaitingPrompt>(sql`
    select id, coalesce(batch_position, 1) as place, prompt from videos
    where batch_id = ${batchId} and awaits_round and user_id = ${actor.id} and deleted_at is null
    order by batch_position limit ${BATCH_LIMITS.prompts}`)

/**
 * Cancels one prompt that awaits a round, and returns its quota unit. Throws NOT_FOUND, or CONFLICT if
 * it was sent or the batch has ended.
 */
export async function removeWaitingPrompt(ctx: UserCtx, subject: Subject): Promise<void> {
  await changeWaiting(ctx, subject, async (tx) => {
    const { batchId, videoId } = subject
    const cancelled = await tx.rows<{ videoId: string; generation: number }>(sql`
      update videos set awaits_round = false, ${cancelledGeneration(null)}
      where id = ${videoId} returning id as "videoId", generation`)
    await settleCharges(tx, cancelled, 'returned')
    await tx.run(sql`select tally_in_batch(${batchId}, 0, 0, 1)`)
  })
}

/** Changes the text of a prompt that awaits a round. Throws like `removeWaitingPrompt`. */
export async function editWaitingPrompt(
  ctx: UserCtx,
  { prompt, ...subject }: Subject & { prompt: string },
): Promise<void> {
  await changeWaiting(ctx, subject, async (tx) => {
    await tx.run(sql`update videos set prompt = ${prompt} where id = ${subject.videoId}`)
  })
}

/**
 * Swaps a prompt that awaits a round with the one before or after it that does. Does nothing at the end
 * of the list. Throws like `removeWaitingPrompt`.
 */
export async function moveWaitingPrompt(
  ctx: UserCtx,
  { to, ...subject }: Subject & { to: 'earlier' | 'later' },
): Promise<void> {
  await changeWaiting(ctx, subject, async (tx) => {
    const { batchId, videoId } = subject
    const isNeighbour =
      to === 'earlier'
        ? sql`videos.batch_position < own.batch_position order by videos.batch_position desc`
        : sql`videos.batch_position > own.batch_position order by videos.batch_position`
    await tx.run(sql`
      with own as (select id, batch_position from videos where id = ${videoId}),
        other as (select videos.id, videos.batch_position from videos, own
          where videos.batch_id = ${batchId} and videos.awaits_round and videos.deleted_at is null
            and ${isNeighbour} limit 1)
      update videos set batch_position =
        case videos.id when own.id then other.batch_position else own.batch_position end
      from own, other where videos.id in (own.id, other.id)`)
  })
}

/** Changes one prompt while no round can take it. */
async function changeWaiting(
  ctx: UserCtx,
  { batchId, videoId }: Subject,
  change: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockBatch(ctx, tx, batchId)
    const found = await tx.row<{ waits: boolean }>(sql`
      select awaits_round as waits from videos
      where id = ${isId(videoId) ? videoId : null} and batch_id = ${batchId} and user_id = ${ctx.actor.id}
        and deleted_at is null for update`)
    if (!found) throw new AppError('NOT_FOUND', 'This prompt is not in this batch any more')
    if (!found.waits) throw new AppError('CONFLICT', 'This prompt has been sent already')
    await change(tx)
  })
}
