import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { z } from 'zod'
import { excerpt } from '~/lib/text'
import type { Tx } from '~/platform/db/port'
import { requireGoodStanding } from '../../accounts/standing.server'
import { takeTrialUnits } from '../../accounts/trial.server'
import type { UserCtx } from '../../context'
import { AppError } from '../../errors'
import { oncePerKey } from '../../idempotency.server'
import { reserveUnits, writeCharges } from '../../quota/charges.server'
import { LABEL_CHARACTERS } from '../../quota/rules'
import { acceptVideo } from './generate-video.server'
import { nextGeneration } from '../generations.server'
import { enterLine } from '../line.server'
import { lockGalleries } from '../locks.server'
import { ORDER_FIELDS } from '../order-columns.server'
import { sharePictures } from '../pictures.server'
import { getVideo, noSuchVideo } from '../queries.server'
import { videoReceipt, type VideoReceipt } from '../schemas'
import { isVisibleTo } from '../visibility.server'
import { LANES, type OrderFields, type VideoStatus, type VideoView } from '../types'

type Redo = { reason: 'retry' | 'regenerate'; from: VideoStatus; refusal: string }

const RETRY: Redo = { reason: 'retry', from: 'error', refusal: 'Only failed videos can be retried' }
const REGENERATE: Redo = {
  reason: 'regenerate',
  from: 'completed',
  refusal: 'Only completed videos can be regenerated',
}

/**
 * Retries a failed video. Costs the quota units of a video. Throws NOT_FOUND, CONFLICT in any other state,
 * and the errors of accepting a video.
 */
export const retryVideo = (ctx: UserCtx, id: string, key?: string): Promise<VideoView> =>
  redo(ctx, { id, key, ...RETRY })

/**
 * Regenerates a completed video with the same prompt. Costs like a new one. The old clip stays
 * until the new one is stored. Throws like `retryVideo`.
 */
export const regenerateVideo = (ctx: UserCtx, id: string, key?: string): Promise<VideoView> =>
  redo(ctx, { id, key, ...REGENERATE })

async function redo(
  ctx: UserCtx,
  order: Redo & { id: string; key: string | undefined },
): Promise<VideoView> {
  const { id, key, reason } = order
  if (!isId(id)) throw noSuchVideo()
  const once = { key, request: [reason, id], result: z.null() }
  await oncePerKey(ctx, once, (tx) => reopen(ctx, tx, order))
  return getVideo(ctx, id)
}

async function reopen(
  ctx: UserCtx,
  tx: Tx,
  { id, reason, from, refusal }: Redo & { id: string },
): Promise<null> {
  const account = await requireGoodStanding(ctx, tx)
  const { id: userId, clipUnits: each } = account
  await lockGalleries(tx, [userId])
  const video = await tx.row<{ generation: number; prompt: string }>(sql`
    update videos set ${nextGeneration(ctx, 'owner')}
    where id = ${id} and user_id = ${userId} and deleted_at is null and status = ${from}::video_status
    returning generation, prompt`)
  if (!video) throw await refusalFor(tx, { id, userId, refusal })
  const reservation = await reserveUnits(tx, {
    userId,
    limit: account.videoLimit,
    clips: 1,
    each,
    timeZone: ctx.settings.timeZone,
  })
  const { generation, prompt } = video
  const charge = { videoId: id, generation, label: excerpt(prompt, LABEL_CHARACTERS) }
  await writeCharges(tx, { userId, reason, each, charges: [charge] }, reservation)
  await takeTrialUnits(ctx, tx, { network: account.trialNetwork, units: each })
  await enterLine(tx, ctx.queue, { videoId: id, generation, userId, lane: LANES.single })
  return null
}

type Refused = { id: string; userId: string; refusal: string }

async function refusalFor(tx: Tx, { id, userId, refusal }: Refused): Promise<AppError> {
  const exists = await tx.prisma(({ video }) =>
    video.findFirst({ where: { id, userId, deletedAt: null }, select: { id: true } }),
  )
  return exists ? new AppError('CONFLICT', refusal) : noSuchVideo()
}

/**
 * Creates a new video of the actor with another prompt and the settings and picture of an existing video,
 * which is not changed: one of their own, or any for an administrator. Throws NOT_FOUND and the errors of
 * accepting a video.
 */
export async function editVideo(
  ctx: UserCtx,
  { id, prompt, key }: { id: string; prompt: string; key?: string | undefined },
): Promise<VideoReceipt> {
  if (!isId(id)) throw noSuchVideo()
  const order = { key, request: ['edit', id, prompt], result: videoReceipt }
  return oncePerKey(ctx, order, async (tx) => {
    const fields = await fieldsOf(ctx, tx, id)
    const receipt = await acceptVideo(ctx, tx, { ...fields, prompt, reason: 'edit' })
    await sharePictures(tx, { of: id, to: [receipt.id] })
    return receipt
  })
}

async function fieldsOf(ctx: UserCtx, tx: Tx, id: string): Promise<OrderFields> {
  const fields = await tx.row<OrderFields>(sql`
    select ${ORDER_FIELDS} from videos where videos.id = ${id} and ${isVisibleTo(ctx)}`)
  if (!fields) throw noSuchVideo()
  return fields
}
