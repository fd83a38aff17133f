import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { cancelCarried } from './carry-over.server'
import { lockBatch } from './lock-batch.server'
import { getBatch } from './queries.server'
import type { BatchView } from './types'

/**
 * Cancels a batch in line. It has cost nothing, and those behind it move up. Throws NOT_FOUND, or CONFLICT
 * if it has started or ended.
 */
export async function leaveLine(ctx: UserCtx, batchId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockInLine(ctx, tx, batchId)
    await tx.run(sql`select end_batch(${batchId}, 'cancelled')`)
    await cancelCarried(ctx, tx, { batchId })
  })
}

/**
 * Swaps a batch in line with the one before it, and returns it. Does nothing to the first one. Throws
 * like `leaveLine`.
 */
export async function moveUpInLine(ctx: UserCtx, batchId: string): Promise<BatchView> {
  await ctx.db.transaction(async (tx) => {
    await lockInLine(ctx, tx, batchId)
    await tx.run(sql`
      update batches set line_place = 2 * own.line_place - 1 - batches.line_place
      from (select user_id, line_place from batches where id = ${batchId}) as own
      where batches.user_id = own.user_id and own.line_place > 1
        and batches.line_place in (own.line_place, own.line_place - 1)`)
  })
  return getBatch(ctx, batchId)
}

/** Locks one of the actor's own batches in line, so that it does not start. */
async function lockInLine(ctx: UserCtx, tx: Tx, batchId: string): Promise<void> {
  const { isInLine } = await lockBatch(ctx, tx, batchId)
  if (!isInLine) throw new AppError('CONFLICT', 'This batch has started')
}
