import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { BY_ITSELF, logActivity } from '../activity/write.server'

/**
 * Records in the activity log how a regeneration ended, because the list of running ones no longer
 * shows it. A stopped one has an entry of its own (`cancelRegeneration`), and its videos that were
 * sent may still be in progress. A listener of `batch.ended`.
 */
export async function noteEndOfRegeneration(tx: Tx, batchId: string): Promise<void> {
  const ended = await tx.row<{ completed: number; failed: number; removed: number; total: number }>(
    sql`
      select completed_videos as completed, failed_videos as failed, cancelled_videos as removed,
        total_videos as total
      from batches where id = ${batchId} and kind = 'regeneration' and status = 'completed'`,
  )
  if (!ended) return
  const { total, ...after } = ended
  await logActivity(tx, BY_ITSELF, {
    action: 'videos.regenerated',
    subject: { kind: 'batch', id: batchId, name: 'a regeneration' },
    after,
    count: total,
  })
}
