import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { JobPayload } from '~/platform/queue/catalog'
import type { NewJob } from '~/platform/queue/port'
import { databaseNow } from '../clock.server'
import type { AdminCtx, Ctx } from '../context'
import { AppError } from '../errors'
import { logActivity } from '../activity/write.server'
import { cancelledGeneration } from '../videos/generations.server'
import { lockOwners } from '../videos/locks.server'

/** Maximum number of videos taken back in one step. */
const STEP = 200

/** A regeneration in progress, as administrators see it. */
export type RegenerationView = {
  id: string
  actorName: string
  total: number
  ended: number
  /** Whether its videos are still being gathered, so that the total still grows. */
  isGathering: boolean
  /** Whether it was cancelled and its unsent videos are still being taken back. */
  isStopping: boolean
}

/** Lists the regenerations in progress, newest first, at most ten. */
export async function listRegenerations({ db }: AdminCtx): Promise<RegenerationView[]> {
  return db.rows<RegenerationView>(sql`
    select batches.id, users.username as "actorName", total_videos as total,
      completed_videos + failed_videos + cancelled_videos as ended,
      gathered_to is not null as "isGathering",
      stopped_at is not null as "isStopping"
    from batches join users on users.id = batches.user_id
    where kind = 'regeneration' and status = 'processing'
    order by batches.created_at desc limit 10`)
}

/**
 * Stops an administrator's regeneration. Nothing more is sent, and unsent videos are restored to
 * their earlier state in steps by a background job. Videos already sent are finished. Throws
 * CONFLICT if it has ended.
 */
export async function cancelRegeneration(ctx: AdminCtx, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!isId(id)) throw alreadyEnded()
    const stoppedAt = await databaseNow(tx)
    const { count } = await tx.prisma(({ batch }) =>
      batch.updateMany({
        where: { id, kind: 'regeneration', status: 'processing' },
        data: { stoppedAt, nextRoundAt: null, gatheredTo: null },
      }),
    )
    if (count === 0) throw alreadyEnded()
    const subject = { kind: 'batch', id, name: 'a regeneration' } as const
    await logActivity(tx, ctx, { action: 'videos.stop', subject })
    await ctx.queue.add(tx, [takeBackJob({ batchId: id, requestId: ctx.requestId })])
  })
}

const alreadyEnded = () => new AppError('CONFLICT', 'This regeneration has already ended')

/**
 * Takes back one step of a stopped regeneration's unsent videos and queues the next step until none
 * is left.
 */
export async function takeBackUnsent(ctx: Ctx, { batchId }: { batchId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const taken = await takeBackSome(tx, batchId)
    if (taken > 0) return ctx.queue.add(tx, [takeBackJob({ batchId, requestId: ctx.requestId })])
    await tx.run(sql`
      select end_batch(id, 'cancelled') from batches where id = ${batchId} and kind = 'regeneration'`)
  })
}

/** Returns the job for the next step of taking back. One at most waits per batch. */
export function takeBackJob(payload: JobPayload<'batches.take-back'>): NewJob {
  return { name: 'batches.take-back', payload, key: `take back ${payload.batchId}` }
}

async function takeBackSome(tx: Tx, batchId: string): Promise<number> {
  const next = await tx.rows<{ id: string }>(sql`
    (select video_id as id from line_entries where batch_id = ${batchId} limit ${STEP})
    union all
    (select id from videos where batch_id = ${batchId} and awaits_round and deleted_at is null limit ${STEP})
    limit ${STEP}`)
  const ids = next.map(({ id }) => id)
  if (ids.length === 0) return 0
  await lockOwners(tx, sql`videos.id = any(${ids}::uuid[])`)
  const inLine = await tx.rows<{ id: string }>(sql`
    delete from line_entries where batch_id = ${batchId} and video_id = any(${ids}::uuid[])
    returning video_id as id`)
  const back = await tx.run(sql`
    update videos set awaits_round = false, ${cancelledGeneration(null)}
    where deleted_at is null and batch_id = ${batchId} and id = any(${ids}::uuid[])
      and (awaits_round or id = any(${inLine.map(({ id }) => id)}::uuid[]))`)
  await tx.run(sql`
    update batches set cancelled_videos = cancelled_videos + ${back} where id = ${batchId}`)
  return ids.length
}
