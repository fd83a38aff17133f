import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import { excerpt } from '~/lib/text'
import { requireGoodStanding } from '../accounts/standing.server'
import { takeTrialUnits } from '../accounts/trial.server'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { oncePerKey } from '../idempotency.server'
import { reserveUnits, writeCharges } from '../quota/charges.server'
import { getQuota } from '../quota/queries.server'
import { LABEL_CHARACTERS, quotaRefusal } from '../quota/rules'
import { isInBatch, KEEP_HOME } from '../videos/batch-members.server'
import { nextGeneration } from '../videos/generations.server'
import { lockGalleries } from '../videos/locks.server'
import { IS_FAILED } from '../videos/states.server'
import { roundJob } from './fire-round.server'
import { getBatch } from './queries.server'
import { retryText } from './rules'
import { openBatch } from './start-batch.server'

const retryReceipt = z.object({
  message: z.string(),
  count: z.number(),
  batchId: z.string().nullable(),
})
export type RetryReceipt = z.output<typeof retryReceipt>

/** Cancelled videos were never sent. Their prompts go back into the box, or are ticked and retried. */
const tried = sql`and ${IS_FAILED}`

/**
 * Retries the user's failed videos as a batch at the plan's pace, oldest first, as many as fit into
 * today's quota (decision Q-11), without the cancelled ones. Throws BATCH_RUNNING, QUOTA_EXCEEDED if none fits, and the errors
 * of accepting a video.
 */
export const retryAllFailed = (ctx: UserCtx, key?: string): Promise<RetryReceipt> =>
  retry(ctx, tried, { key, request: ['retry-all'] })

/**
 * Retries the failed videos of one of the user's batches, without the cancelled ones. They stay videos of that batch. Throws NOT_FOUND, and like `retryAllFailed`.
 */
export async function retryBatch(
  ctx: UserCtx,
  batchId: string,
  key?: string,
): Promise<RetryReceipt> {
  const { id } = await getBatch(ctx, batchId)
  const which = sql`and ${isInBatch(sql`${id}`)} ${tried}`
  return retry(ctx, which, { key, request: ['retry-batch', id] })
}

/**
 * Retries those of the named videos that have failed. Ids of other videos are ignored. Throws like
 * `retryAllFailed`.
 */
export async function retrySelected(
  ctx: UserCtx,
  ids: readonly string[],
  key?: string,
): Promise<RetryReceipt> {
  const known = ids.filter(isId)
  const which = sql`and id = any(${known}::uuid[])`
  return retry(ctx, which, { key, request: ['retry-selected', known] })
}

type Order = { key: string | undefined; request: unknown[] }

const retry = (ctx: UserCtx, which: Sql, order: Order): Promise<RetryReceipt> =>
  oncePerKey(ctx, { ...order, result: retryReceipt }, (tx) => acceptRetries(ctx, tx, which))

async function acceptRetries(ctx: UserCtx, tx: Tx, which: Sql): Promise<RetryReceipt> {
  const account = await requireGoodStanding(ctx, tx)
  const userId = account.id
  await lockGalleries(tx, [userId])
  const failed = await tx.rows<{ id: string }>(sql`
    select id from videos where user_id = ${userId} and status = 'error' and deleted_at is null ${which}
    order by created_at, id for update`)
  if (failed.length === 0) return { message: 'No failed videos', count: 0, batchId: null }
  const { timeZone } = ctx.settings
  const { videoLimit: limit, clipUnits: each } = account
  const { remaining } = await getQuota(tx, { userId, limit, timeZone })
  const fitting = failed.slice(0, remaining).map(({ id }) => id)
  if (fitting.length === 0) throw new AppError('QUOTA_EXCEEDED', quotaRefusal(0, failed.length))
  const batchId = await openBatch(tx, account, { kind: 'retry', total: fitting.length })
  const reservation = await reserveUnits(tx, {
    userId,
    limit,
    clips: fitting.length,
    each,
    timeZone,
  })
  const videos = await tx.rows<{ videoId: string; generation: number; prompt: string }>(sql`
    update videos set ${nextGeneration(ctx, 'owner')}, ${KEEP_HOME}, batch_id = ${batchId},
      batch_position = position, awaits_round = true
    from unnest(${fitting}::uuid[]) with ordinality as chosen(id, position)
    where videos.id = chosen.id
    returning videos.id as "videoId", generation, prompt`)
  const charges = videos.map((video) => ({
    ...video,
    label: excerpt(video.prompt, LABEL_CHARACTERS),
  }))
  await writeCharges(tx, { userId, reason: 'retry', each, charges }, reservation)
  await takeTrialUnits(ctx, tx, { network: account.trialNetwork, units: fitting.length * each })
  await ctx.queue.add(tx, [roundJob({ batchId, roundNo: 0, requestId: ctx.requestId })])
  const message = retryText(fitting.length, failed.length - fitting.length)
  return { message, count: fitting.length, batchId }
}
