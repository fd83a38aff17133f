import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { lockOwnersAnd } from '../videos/locks.server'
import type { BatchKind } from './types'

type LockedBatch = {
  kind: BatchKind
  roundNo: number
  isPaused: boolean
  /** Videos that await a round. */
  waiting: number
  /** Prompts that wait for a later day, or in line. */
  carried: number
  /** Whether it waits in line. */
  isInLine: boolean
}

/**
 * Locks one of the actor's own running batches, or one in line, against rounds and other changes: like a
 * round, it locks the galleries of the owners first. So a prompt is either still here, or with the round
 * that took it, and a batch is either in line or running.
 * Throws NOT_FOUND, or CONFLICT if the batch has ended.
 */
export async function lockBatch({ actor }: UserCtx, tx: Tx, id: string): Promise<LockedBatch> {
  if (!isId(id)) throw noSuchBatch()
  // A batch of carried prompts alone has no videos, so its owner is locked in any case.
  await lockOwnersAnd(
    tx,
    sql`videos.batch_id = ${id} and videos.status in ('pending', 'generating')`,
    sql`${actor.id}::uuid`,
  )
  const batch = await tx.row<LockedBatch & { isRunning: boolean }>(sql`
    select kind, round_no as "roundNo", paused_at is not null as "isPaused",
      status in ('queued', 'processing') as "isRunning", status = 'queued' as "isInLine",
      (select count(*)::int from videos where batch_id = batches.id and awaits_round) as waiting,
      (select count(*)::int from carried_prompts where batch_id = batches.id) as carried
    from batches where id = ${id} and user_id = ${actor.id} for update`)
  if (!batch) throw noSuchBatch()
  if (!batch.isRunning) throw new AppError('CONFLICT', 'This batch has already ended')
  return batch
}

export const noSuchBatch = () => new AppError('NOT_FOUND', 'This batch does not exist')
