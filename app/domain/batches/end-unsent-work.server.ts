import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { settleCharges } from '../quota/charges.server'
import { cancelledGeneration } from '../videos/generations.server'
import { lockOwners } from '../videos/locks.server'
import { REGENERATION_STOPPED } from '../videos/rules'
import { cancelUnsent } from './cancel-batch.server'

/**
 * Cancels the unsent videos of a user, both batches and singles, and returns their quota units.
 * Videos already sent are finished and stored (decision Q-13). The caller must have locked the
 * user's row, so that no new work is accepted meanwhile.
 */
export async function endUnsentWork(tx: Tx, userId: string): Promise<void> {
  await lockOwners(
    tx,
    sql`videos.status in ('pending', 'generating') and (videos.user_id = ${userId}
      or videos.batch_id in (select id from batches where user_id = ${userId} and status = 'processing'))`,
  )
  const batches = await tx.rows<{ id: string; hasEnded: boolean }>(sql`
    select id, end_batch(id, 'cancelled') as "hasEnded" from batches
    where user_id = ${userId} and status = 'processing'`)
  for (const { id } of batches) await cancelUnsent(tx, id)
  const singles = await tx.rows<{ id: string }>(sql`
    delete from line_entries where user_id = ${userId} returning video_id as id`)
  const cancelled = await tx.rows<{ videoId: string; generation: number }>(sql`
    update videos set ${cancelledGeneration(REGENERATION_STOPPED)}
    where id = any(${singles.map(({ id }) => id)}::uuid[]) and deleted_at is null
    returning id as "videoId", generation`)
  await settleCharges(tx, cancelled, 'returned')
}
