import sql, { type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { settleCharges } from '../quota/charges.server'
import { cancelledGeneration } from '../videos/generations.server'
import { ORDER_COLUMNS, ORDER_FIELDS, orderValues } from '../videos/order-columns.server'
import { swapPictures } from '../videos/pictures.server'
import type { OrderFields } from '../videos/types'
import { cancelCarried } from './carry-over.server'
import { lockBatch } from './lock-batch.server'
import { BATCH_LIMITS } from './rules'
import type { WaitingPrompt } from './types'

type Subject = { batchId: string; videoId: string }
type Move = 'first' | 'earlier' | 'later'

/** A prompt with its place, wherever it waits. */
type Row = Omit<WaitingPrompt, 'picture' | 'endPicture'> & OrderFields

/**
 * Prompts of a batch that have not been sent: videos that await a round, then those of later days, which
 * are no videos yet.
 */
const unsent = ({ actor }: UserCtx, batchId: string): Sql => sql`(
  select id, coalesce(batch_position, 1) as place, prompt, false as "isCarried", ${ORDER_COLUMNS} from videos
  where batch_id = ${batchId} and awaits_round and user_id = ${actor.id} and deleted_at is null
  union all
  select carried.id, position, prompt, true, ${ORDER_COLUMNS} from carried_prompts as carried
    join batches on batches.id = batch_id where batch_id = ${batchId} and user_id = ${actor.id})`

/** Lists the unsent prompts of one of the actor's own batches, in order, at most a hundred. */
export const listWaitingPrompts = (ctx: UserCtx, batchId: string): Promise<WaitingPrompt[]> =>
  ctx.db.rows<WaitingPrompt>(sql`
    select unsent.id, place, clip_name as name, prompt, "isCarried", first.name as picture,
      ended.name as "endPicture"
    from ${unsent(ctx, batchId)} as unsent
      left join video_pictures on video_id = unsent.id
      left join order_pictures as first on first.id = picture_id
      left join order_pictures as ended on ended.id = end_picture_id
    order by place limit ${BATCH_LIMITS.prompts}`)

/**
 * What was removed, and the place of the next unsent prompt, or of the last one. What can be brought back:
 * the prompt, or the batch that left the line with it; null: the batch has ended with it.
 */
export type RemovedPrompt = {
  place: number
  next: number | null
  undo: 'prompt' | 'batch' | null
}

/**
 * Cancels one unsent prompt, and returns its quota unit if it has one. Throws NOT_FOUND, or CONFLICT if it
 * was sent or cancelled or the batch has ended.
 */
export async function removeWaitingPrompt(ctx: UserCtx, subject: Subject): Promise<RemovedPrompt> {
  const { batchId, videoId } = subject
  return changeWaiting(ctx, subject, async (tx, { isCarried, place }) => {
    const { next } = await tx.one<{ next: number | null }>(sql`
      select coalesce(min(place) filter (where place > ${place}::int), max(place)) as next
      from ${unsent(ctx, batchId)} as unsent where place <> ${place}::int`)
    if (isCarried) await cancelCarried(ctx, tx, { batchId, only: videoId })
    else {
      const cancelled = await tx.rows<{ videoId: string; generation: number }>(sql`
        update videos set awaits_round = false, ${cancelledGeneration(null)}
        where id = ${videoId} returning id as "videoId", generation`)
      await settleCharges(tx, cancelled, 'returned')
      await tx.run(sql`select tally_in_batch(${batchId}, 0, 0, 1)`)
    }
    const { undo } = await tx.one<Pick<RemovedPrompt, 'undo'>>(sql`
      select case when status in ('queued', 'processing') then 'prompt'
        when left_before is not null then 'batch' end as undo
      from batches where id = ${batchId}`)
    return { place, next, undo }
  })
}

/** Changes the text of an unsent prompt, and returns its place. Throws like `removeWaitingPrompt`. */
export async function editWaitingPrompt(
  ctx: UserCtx,
  { prompt, ...subject }: Subject & { prompt: string },
): Promise<number> {
  return changeWaiting(ctx, subject, async (tx, row) => {
    await write(tx, { ...row, prompt })
    return row.place
  })
}

/**
 * Moves an unsent prompt by one place, or to the first one. Does nothing at the end of the list. Returns
 * its places before and after. Throws like `removeWaitingPrompt`.
 */
export async function moveWaitingPrompt(
  ctx: UserCtx,
  { to, ...subject }: Subject & { to: Move },
): Promise<{ from: number; place: number }> {
  return changeWaiting(ctx, subject, async (tx, own) => {
    let moved = own
    for (const other of await passedBy(ctx, tx, { ...subject, own, to }))
      moved = await swap(tx, moved, other)
    return { from: own.place, place: moved.place }
  })
}

/** Returns the prompts that one passes on its way, in the order in which it passes them. */
function passedBy(
  ctx: UserCtx,
  tx: Tx,
  { batchId, own, to }: { batchId: string; own: Row; to: Move },
): Promise<Row[]> {
  const passed =
    to === 'later'
      ? sql`place > ${own.place} order by place limit 1`
      : sql`place < ${own.place} order by place desc limit ${to === 'first' ? BATCH_LIMITS.prompts : 1}`
  return tx.rows<Row>(sql`
    select id, place, prompt, "isCarried", ${ORDER_FIELDS} from ${unsent(ctx, batchId)} as unsent
    where ${passed}`)
}

/** Swaps the places of two unsent prompts. Returns the first one at its new place. */
async function swap(tx: Tx, own: Row, other: Row): Promise<Row> {
  // One may have a unit and the other not, so the texts change places, with their pictures.
  if (own.isCarried || other.isCarried) {
    const moved = { ...own, id: other.id, isCarried: other.isCarried, place: other.place }
    await swapPictures(tx, own.id, other.id)
    await write(tx, moved)
    await write(tx, { ...other, id: own.id, isCarried: own.isCarried })
    return moved
  }
  await tx.run(sql`
    update videos set batch_position =
      case id when ${own.id}::uuid then ${other.place}::int else ${own.place}::int end
    where id in (${own.id}, ${other.id})`)
  return { ...own, place: other.place }
}

/** Writes what an unsent prompt orders. */
async function write(tx: Tx, { id, isCarried, prompt, ...fields }: Row): Promise<void> {
  const values = sql`(prompt, ${ORDER_COLUMNS}) = (${prompt}, ${orderValues(fields)})`
  await tx.run(
    isCarried
      ? sql`update carried_prompts set ${values} where id = ${id}`
      : sql`update videos set ${values} where id = ${id}`,
  )
}

/** Changes one prompt while no round or new day can take it. */
async function changeWaiting<Changed>(
  ctx: UserCtx,
  { batchId, videoId }: Subject,
  change: (tx: Tx, row: Row) => Promise<Changed>,
): Promise<Changed> {
  return ctx.db.transaction(async (tx) => {
    await lockBatch(ctx, tx, batchId)
    const id = isId(videoId) ? videoId : null
    const row = await tx.row<Row>(sql`
      select id, place, prompt, "isCarried", ${ORDER_FIELDS} from ${unsent(ctx, batchId)} as unsent where id = ${id}`)
    if (row) return change(tx, row)
    const gone = await tx.row<{ isCancelled: boolean }>(sql`
      select coalesce(error_code = 'cancelled', false) as "isCancelled" from videos
      where id = ${id} and batch_id = ${batchId} and user_id = ${ctx.actor.id} and deleted_at is null`)
    if (gone?.isCancelled) throw new AppError('CONFLICT', 'This prompt was cancelled')
    if (gone) throw new AppError('CONFLICT', 'This prompt has been sent already')
    throw new AppError('NOT_FOUND', 'This prompt is not in this batch any more')
  })
}
