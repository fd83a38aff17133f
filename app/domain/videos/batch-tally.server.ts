import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'

/** What became of videos that went out with a batch. */
export type Tally = { completed?: number; failed?: number; cancelled?: number }

/** Counts ended videos in their batch, and ends the batch with its last one. */
export async function tallyInBatch(tx: Tx, batchId: string | null, tally: Tally): Promise<void> {
  const { completed = 0, failed = 0, cancelled = 0 } = tally
  if (batchId === null || completed + failed + cancelled === 0) return
  await tx.run(
    sql`select tally_in_batch(${batchId}, ${completed}::int, ${failed}::int, ${cancelled}::int)`,
  )
}
