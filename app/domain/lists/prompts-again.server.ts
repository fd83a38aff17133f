import sql, { empty, type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { plural } from '~/lib/figures'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { isInBatch, placeInBatch } from '../videos/batch-members.server'
import { lockGalleries } from '../videos/locks.server'
import { ORDER_FIELDS } from '../videos/order-columns.server'
import { IS_CANCELLED } from '../videos/states.server'
import { removeVideos } from '../videos/requests/delete-videos.server'
import { bringPicturesBack, type PictureNames } from '../videos/requests/draft-pictures.server'
import { settingsOf } from '../videos/requests/drafts'
import { getDrafts, saveDraft } from '../videos/requests/drafts.server'
import { picturesOf } from '../videos/requests/picture-video.server'
import type { OrderFields } from '../videos/types'
import { getBatchSummary } from '../batches/batch-list.server'
import { keepBatchAsList, replacedText } from './prompt-list.server'

type Line = OrderFields & { id: string; prompt: string }

/**
 * How many prompts were added: to the box, or to a list if it has no place for what they have of their own
 * (settings, names and pictures). How many of them had a picture, and whether it came with them.
 */
export type PromptsAdded = {
  count: number
  to: 'box' | 'list'
  pictured: number
  hasPictures: boolean
  /** The name of the list that they replaced, or null. */
  replaced: string | null
}

/**
 * Puts the prompts of a batch that were cancelled before they were sent back into the box. Their
 * videos, which hold nothing else, are deleted in the same transaction, so that no prompt is put back
 * twice. Throws NOT_FOUND, or CONFLICT if there are none, and like `keepBatchAsList`.
 */
export async function putPromptsBack(ctx: UserCtx, batchId: string): Promise<PromptsAdded> {
  const { id, name } = await getBatchSummary(ctx, batchId)
  return ctx.db.transaction(async (tx) => {
    await lockGalleries(tx, [ctx.actor.id])
    const lines = await readLines(ctx, tx, { id, which: CANCELLED })
    if (lines.length === 0)
      throw new AppError(
        'CONFLICT',
        'No prompt of this batch was cancelled, or all are back already',
      )
    const added = await addToPrompts(ctx, tx, { name, lines })
    const ids = lines.map((line) => line.id)
    await removeVideos(tx, ctx.queue, sql`videos.id = any(${ids}::uuid[]) ${CANCELLED}`)
    return added
  })
}

/**
 * Adds all prompts of a batch to the box, in their order. Throws NOT_FOUND, CONFLICT if all its videos
 * were deleted, and like `keepBatchAsList`.
 */
export async function usePromptsAgain(ctx: UserCtx, batchId: string): Promise<PromptsAdded> {
  const { id, name } = await getBatchSummary(ctx, batchId)
  return ctx.db.transaction(async (tx) => {
    // Their pictures come back into the same form as those of an upload.
    await lockGalleries(tx, [ctx.actor.id])
    const lines = await readLines(ctx, tx, { id, which: empty })
    lines.push(...(await readCarriedLines(tx, id)))
    if (lines.length === 0)
      throw new AppError('CONFLICT', 'All videos of this batch were deleted, with their prompts')
    return addToPrompts(ctx, tx, { name, lines })
  })
}

/** Returns the toast's title after prompts were added to the box. */
export const promptsAdded = (count: number): string => `${plural(count, 'prompt')} added`

/** Returns the toast's title after prompts became the list. */
export const promptsListed = (count: number): string =>
  `${plural(count, 'prompt')} ${count === 1 ? 'is' : 'are'} in the list`

/** Says what else adding prompts did: to a list that was there before, and to their pictures. */
export function addedText(added: PromptsAdded): string | undefined {
  const { replaced } = added
  const gone = replaced && replacedText(replaced)
  const texts = [gone, picturesAdded(added)].filter(Boolean)
  return texts.length > 0 ? texts.join(' ') : undefined
}

/** Says what became of the pictures of prompts that were added. Undefined: they had none. */
function picturesAdded({ pictured, hasPictures }: PromptsAdded): string | undefined {
  if (pictured === 0) return undefined
  return hasPictures
    ? 'Their pictures are back with them, in its column Picture.'
    : `${plural(pictured, 'prompt')} had a picture, and videos from pictures are not offered now. Without it the video is another one.`
}

const CANCELLED = sql`and ${IS_CANCELLED} and videos.deleted_at is null`

const readLines = ({ actor }: UserCtx, tx: Tx, { id, which }: { id: string; which: Sql }) =>
  tx.rows<Line>(sql`
    select videos.id, prompt, ${ORDER_FIELDS} from videos
    where ${isInBatch(sql`${id}::uuid`)} and user_id = ${actor.id} and deleted_at is null ${which}
    order by ${placeInBatch(sql`${id}::uuid`)}, videos.id`)

/** They come after those that are videos. */
const readCarriedLines = (tx: Tx, id: string) =>
  tx.rows<Line>(sql`
    select id, prompt, ${ORDER_FIELDS} from carried_prompts where batch_id = ${id} order by position`)

/**
 * Adds a line per prompt. An empty box also takes the settings of the batch, if all have the same. The box
 * has no names of videos, and no pictures of single prompts: prompts with any become a list.
 */
async function addToPrompts(
  ctx: UserCtx,
  tx: Tx,
  { name, lines }: { name: string; lines: readonly Line[] },
): Promise<PromptsAdded> {
  const hasPictures = picturesOf(ctx) === 'on'
  const pictured = await countPictured(tx, lines)
  const names =
    hasPictures && pictured > 0
      ? await bringPicturesBack(ctx, tx, lines)
      : new Map<string, PictureNames>()
  const added = { count: lines.length, pictured, hasPictures }
  const kinds = new Set(lines.map((line) => JSON.stringify(settingsOf(line))))
  if (names.size > 0 || kinds.size > 1 || lines.some((line) => line.name !== null)) {
    const kept = lines.map(({ id, ...line }) => ({ ...line, ...names.get(id) }))
    const replaced = await keepBatchAsList(ctx, tx, { name, lines: kept })
    return { ...added, to: 'list', replaced }
  }
  const drafts = { actor: ctx.actor, db: tx }
  const { bulk } = await getDrafts(drafts)
  const [first] = lines
  const taken = first && bulk.text.trim() === '' ? settingsOf(first) : {}
  const texts = lines.map(({ prompt }) => prompt.replaceAll('\n', ' '))
  const text = [bulk.text.trimEnd(), ...texts].filter((line) => line !== '').join('\n')
  await saveDraft(drafts, 'bulk', { ...bulk, ...taken, text })
  return { ...added, to: 'box', replaced: null }
}

async function countPictured(tx: Tx, lines: readonly Line[]): Promise<number> {
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from video_pictures
    where video_id = any(${lines.map(({ id }) => id)}::uuid[])`)
  return count
}
