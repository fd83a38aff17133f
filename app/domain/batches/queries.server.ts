import sql, { type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { estimateFinish } from './estimate.server'
import type { BatchKind, BatchStatus, BatchView } from './types'

/** Batches a list shows. */
const LIST_LENGTH = 50

type Row = {
  id: string
  kind: BatchKind
  status: BatchStatus
  totalVideos: number
  completedVideos: number
  failedVideos: number
  cancelledVideos: number
  speedLimit: number
  delaySeconds: number
  nextRoundAt: Date | null
  createdAt: Date
  waiting: number
}

const rows = (where: Sql) => sql`
  select id, kind, status, total_videos as "totalVideos", completed_videos as "completedVideos",
    failed_videos as "failedVideos", cancelled_videos as "cancelledVideos", speed_limit as "speedLimit",
    delay_seconds as "delaySeconds", next_round_at as "nextRoundAt", created_at as "createdAt",
    case when status = 'processing' then (
      select count(*)::int from videos where batch_id = batches.id and awaits_round) else 0 end as waiting
  from batches where ${where} order by created_at desc, id desc limit ${LIST_LENGTH}`

/** The actor's own batches, newest first. */
export async function listBatches(ctx: UserCtx): Promise<BatchView[]> {
  const found = await ctx.db.rows<Row>(rows(sql`user_id = ${ctx.actor.id}`))
  return Promise.all(found.map((row) => toView(ctx, row)))
}

/** One of the actor's own batches. Throws NOT_FOUND. */
export async function getBatch(ctx: UserCtx, id: string): Promise<BatchView> {
  const [row] = isId(id)
    ? await ctx.db.rows<Row>(rows(sql`id = ${id} and user_id = ${ctx.actor.id}`))
    : []
  if (!row) throw new AppError('NOT_FOUND', 'This batch does not exist')
  return toView(ctx, row)
}

/** The batch that occupies the user, or null. */
export async function findActiveBatch(ctx: UserCtx): Promise<BatchView | null> {
  const [row] = await ctx.db.rows<Row>(
    rows(sql`user_id = ${ctx.actor.id} and status = 'processing' and kind <> 'regeneration'`),
  )
  return row ? toView(ctx, row) : null
}

async function toView(ctx: UserCtx, row: Row): Promise<BatchView> {
  const { cancelledVideos, failedVideos, waiting, nextRoundAt, createdAt, ...batch } = row
  const ended = batch.completedVideos + failedVideos + cancelledVideos
  const moving = batch.status === 'processing' ? batch.totalVideos - ended - waiting : 0
  const finish = await estimateFinish(ctx, ctx.db, {
    ...batch,
    waiting,
    moving,
    nextRoundAt,
    userId: ctx.actor.id,
  })
  return {
    ...batch,
    failedVideos: failedVideos + cancelledVideos,
    nextRoundAt: nextRoundAt?.toISOString() ?? null,
    finishEstimate: finish?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
