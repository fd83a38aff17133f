import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'

/** What became of videos that went out with a batch. */
export type Tally = { completed?: number; failed?: number; cancelled?: number }

/** Counts ended videos in their batch, and ends the batch with its last one. */
export async function tallyInBatch(tx: Tx, batchId: string | null, tally: Tally): Promise<void> {
  if (batchId === null) return
  const { completed = 0, failed = 0, cancelled = 0 } = tally
  const ended = completed + failed + cancelled
  if (ended === 0) return
  await tx.run(sql`
    update batches set completed_videos = completed_videos + ${completed},
      failed_videos = failed_videos + ${failed}, cancelled_videos = cancelled_videos + ${cancelled},
      status = case when status = 'processing' and gathered_to is null
        and completed_videos + failed_videos + cancelled_videos + ${ended} >= total_videos
        then 'completed'::batch_status else status end,
      next_round_at = case when completed_videos + failed_videos + cancelled_videos + ${ended} >= total_videos
        and gathered_to is null then null else next_round_at end,
      finished_at = case when gathered_to is null
        and completed_videos + failed_videos + cancelled_videos + ${ended} >= total_videos
        then coalesce(finished_at, engine_now()) else finished_at end
    where id = ${batchId}`)
}
