import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { UserCtx } from '../context'
import { oncePerKey } from '../idempotency.server'
import { ORDER_FIELDS } from '../videos/order-columns.server'
import { sharePictures } from '../videos/pictures.server'
import { noSuchVideo } from '../videos/queries.server'
import { MORE_VIDEOS } from '../videos/rules'
import type { OrderFields } from '../videos/types'
import { batchReceipt, type BatchReceipt } from './schemas'
import { acceptBatch } from './start-batch.server'

/**
 * Starts a batch of three new videos with the prompt, the settings, the name and the picture of one of the
 * user's videos. Each has a seed of its own, so that they differ where the provider takes one. While another batch is
 * running it waits in line. Throws NOT_FOUND and like `startBatch`.
 */
export async function moreLikeThis(
  ctx: UserCtx,
  { id, key }: { id: string; key?: string | undefined },
): Promise<BatchReceipt> {
  if (!isId(id)) throw noSuchVideo()
  const order = { key, request: ['more', id], result: batchReceipt }
  return oncePerKey(ctx, order, async (tx) => {
    const video = await tx.row<OrderFields & { prompt: string }>(sql`
      select prompt, ${ORDER_FIELDS} from videos
      where videos.id = ${id} and user_id = ${ctx.actor.id} and deleted_at is null`)
    if (!video) throw noSuchVideo()
    const { prompt, name, ...fields } = video
    const prompts = Array.from({ length: MORE_VIDEOS }, () => prompt)
    const own = name === null ? undefined : prompts.map(() => ({ name }))
    const receipt = await acceptBatch(ctx, tx, { prompts, own, ...fields, queue: true })
    const made = await tx.rows<{ id: string }>(sql`
      select id from videos where batch_id = ${receipt.batchId}
      union all select id from carried_prompts where batch_id = ${receipt.batchId}`)
    await sharePictures(tx, { of: id, to: made.map((one) => one.id) })
    return receipt
  })
}
