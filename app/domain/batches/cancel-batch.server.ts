import sql, { type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { settleCharges } from '../quota/charges.server'
import { cancelledGeneration } from '../videos/generations.server'
import { lockOwners } from '../videos/locks.server'
import { getBatch } from './queries.server'
import type { BatchView } from './types'

/**
 * Cancels the unsent videos of a batch: they fail as 'Cancelled' and their quota units are
 * returned. Videos already sent are finished, delivered and charged (decision Q-12), unless the
 * provider withdraws an order that it has not started (`pollAttempt`). Throws NOT_FOUND, or
 * CONFLICT if the batch has ended.
 */
export async function cancelBatch(ctx: UserCtx, batchId: string): Promise<BatchView> {
  const { id: userId } = ctx.actor
  if (!isId(batchId)) throw noSuchBatch()
  await ctx.db.transaction(async (tx) => {
    await lockOwners(tx, unfinishedOf(batchId))
    const batch = await tx.row<{ hasEnded: boolean }>(sql`
      select end_batch(id, 'cancelled') as "hasEnded" from batches
      where id = ${batchId} and user_id = ${userId} and status = 'processing'`)
    if (batch?.hasEnded !== true) throw await refusalFor(tx, { id: batchId, userId })
    await cancelUnsent(tx, batchId)
  })
  return getBatch(ctx, batchId)
}

const noSuchBatch = () => new AppError('NOT_FOUND', 'This batch does not exist')

/** Returns the error for a batch that could not be cancelled. */
async function refusalFor(tx: Tx, where: { id: string; userId: string }): Promise<AppError> {
  const found = await tx.prisma(({ batch }) => batch.findFirst({ where, select: { id: true } }))
  return found ? new AppError('CONFLICT', 'This batch has already ended') : noSuchBatch()
}

/** Condition for the unfinished videos of a batch. */
const unfinishedOf = (batchId: string): Sql =>
  sql`videos.batch_id = ${batchId} and videos.status in ('pending', 'generating')`

/**
 * Cancels a batch's unsent videos: takes them out of the line (unless `keepsRound`) and of their rounds,
 * returns their quota units and counts them. Returns how many.
 */
export async function cancelUnsent(
  tx: Tx,
  batchId: string,
  { keepsRound = false } = {},
): Promise<number> {
  const inLine = await tx.rows<{ id: string }>(sql`
    delete from line_entries where batch_id = ${batchId} and not ${keepsRound}::boolean
    returning video_id as id`)
  const ids = inLine.map(({ id }) => id)
  const cancelled = await tx.rows<{ videoId: string; generation: number }>(sql`
    update videos set awaits_round = false, ${cancelledGeneration(null)}
    where deleted_at is null and batch_id = ${batchId} and (awaits_round or id = any(${ids}::uuid[]))
    returning id as "videoId", generation`)
  await settleCharges(tx, cancelled, 'returned')
  await tx.prisma(({ batch }) =>
    batch.updateMany({
      where: { id: batchId },
      data: { cancelledVideos: { increment: cancelled.length } },
    }),
  )
  return cancelled.length
}
