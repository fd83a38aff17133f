import sql from 'sql-template-tag'
import type { UserCtx } from '../context'
import { isInBatch } from '../videos/batch-members.server'

/**
 * Returns when the present clips of a batch were delivered, in milliseconds. A video that was made
 * again long after the batch had ended does not count: it would hide the batch's own hours.
 */
export async function readDeliveries({ db, actor }: UserCtx, batchId: string): Promise<number[]> {
  const rows = await db.rows<{ at: Date | null }>(sql`
    select completed_at as at from videos
    where ${isInBatch(sql`${batchId}::uuid`)} and user_id = ${actor.id} and deleted_at is null
      and status = 'completed' and completed_at <= (
        select coalesce(finished_at, engine_now()) + interval '1 hour' from batches where id = ${batchId})
    order by completed_at`)
  return rows.flatMap(({ at }) => (at === null ? [] : [at.getTime()]))
}
