import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { settleCharges } from '../quota/charges.server'
import { cancelledGeneration } from '../videos/generations.server'
import { lockOwnersAnd } from '../videos/locks.server'
import { REGENERATION_STOPPED } from '../videos/rules'
import { cancelUnsent } from './cancel-batch.server'

/**
 * Cancels the unsent videos of a user, both batches and singles, and returns their quota units.
 * Videos already sent are finished and stored (decision Q-13). A batch with prompts of later days, which
 * have no units, keeps them and waits until the user may order again. The caller must have locked the
 * user's row, so that no new work is accepted meanwhile.
 */
export async function endUnsentWork(tx: Tx, userId: string): Promise<void> {
  await lockOwnersAnd(
    tx,
    sql`videos.status in ('pending', 'generating') and (videos.user_id = ${userId}
      or videos.batch_id in (select id from batches where user_id = ${userId} and status = 'processing'))`,
    sql`${userId}::uuid`,
  )
  const batches = await tx.rows<{ id: string; hasEnded: boolean | null }>(sql`
    with working as materialized (
      select id, carries_at is null as ends from batches where user_id = ${userId} and status = 'processing'
    ), waits as (
      update batches set next_round_at = null from working where batches.id = working.id and not ends
    )
    select id, case when ends then end_batch(id, 'cancelled') end as "hasEnded" from working`)
  for (const { id } of batches) await cancelUnsent(tx, id)
  const singles = await tx.rows<{ id: string }>(sql`
    delete from line_entries where user_id = ${userId} returning video_id as id`)
  const cancelled = await tx.rows<{ videoId: string; generation: number }>(sql`
    update videos set ${cancelledGeneration(REGENERATION_STOPPED)}
    where id = any(${singles.map(({ id }) => id)}::uuid[]) and deleted_at is null
    returning id as "videoId", generation`)
  await settleCharges(tx, cancelled, 'returned')
}
