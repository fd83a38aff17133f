import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { settleCharges } from '../quota/charges.server'
import { cancelledGeneration } from '../videos/generations.server'
import { cancelCarried } from './carry-over.server'
import { lockBatch } from './lock-batch.server'
import { getBatch } from './queries.server'
import type { BatchView } from './types'

/**
 * Cancels the unsent videos of a batch: they fail as 'Cancelled' and their quota units are
 * returned. Videos already sent are finished, delivered and charged (decision Q-12), unless the
 * provider withdraws an order that it has not started (`pollAttempt`). Throws NOT_FOUND, or
 * CONFLICT if the batch has ended.
 */
export async function cancelBatch(ctx: UserCtx, batchId: string): Promise<BatchView> {
  await ctx.db.transaction(async (tx) => {
    await lockBatch(ctx, tx, batchId)
    await tx.run(sql`select end_batch(${batchId}, 'cancelled')`)
    await cancelUnsent(tx, batchId)
    await cancelCarried(ctx, tx, { batchId })
  })
  return getBatch(ctx, batchId)
}

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
