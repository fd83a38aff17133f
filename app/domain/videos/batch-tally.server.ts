import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'

/** Numbers of a batch's videos that ended, by outcome. */
export type Tally = { completed?: number; failed?: number; cancelled?: number }

/**
 * Adds ended videos to the counters of their batch, and ends the batch when its last video has
 * ended.
 */
export async function tallyInBatch(tx: Tx, batchId: string | null, tally: Tally): Promise<void> {
  const { completed = 0, failed = 0, cancelled = 0 } = tally
  if (batchId === null || completed + failed + cancelled === 0) return
  await tx.run(
    sql`select tally_in_batch(${batchId}, ${completed}::int, ${failed}::int, ${cancelled}::int)`,
  )
}
