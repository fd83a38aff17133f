import sql, { empty, type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { plural } from '~/lib/figures'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { isInBatch, placeInBatch } from '../videos/batch-members.server'
import { lockGalleries } from '../videos/locks.server'
import { ORDER_FIELDS } from '../videos/order-columns.server'
import { removeVideos } from '../videos/requests/delete-videos.server'
import { settingsOf } from '../videos/requests/drafts'
import { getDrafts, saveDraft } from '../videos/requests/drafts.server'
import type { OrderFields } from '../videos/types'
import { getBatchSummary } from './batch-list.server'
import { keepBatchAsList } from './prompt-list.server'

type Line = OrderFields & { id: string; prompt: string }

/** How many prompts were added: to the box, or if their settings differ to a list, which keeps them. */
export type PromptsAdded = { count: number; to: 'box' | 'list' }

/**
 * Puts the prompts of a batch that were cancelled before they were sent back into the box. Their
 * videos, which hold nothing else, are deleted in the same transaction, so that no prompt is put back
 * twice. Throws NOT_FOUND, or CONFLICT if there are none, and like `keepBatchAsList`.
 */
export async function putPromptsBack(ctx: UserCtx, batchId: string): Promise<PromptsAdded> {
  const { id, name } = await getBatchSummary(ctx, batchId)
  return ctx.db.transaction(async (tx) => {
    await lockGalleries(tx, [ctx.actor.id])
    const lines = await readLines(ctx, tx, { id, which: IS_CANCELLED })
    if (lines.length === 0)
      throw new AppError(
        'CONFLICT',
        'No prompt of this batch was cancelled, or all are back already',
      )
    const added = await addToPrompts(ctx, tx, { name, lines })
    const ids = lines.map((line) => line.id)
    await removeVideos(tx, ctx.queue, sql`videos.id = any(${ids}::uuid[]) ${IS_CANCELLED}`)
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
    const lines = await readLines(ctx, tx, { id, which: empty })
    lines.push(...(await readCarriedLines(tx, id)))
    if (lines.length === 0)
      throw new AppError('CONFLICT', 'All videos of this batch were deleted, with their prompts')
    return addToPrompts(ctx, tx, { name, lines })
  })
}

/** Returns the toast's title after prompts were added to the prompt field. */
export const promptsAdded = (count: number): string => `${plural(count, 'prompt')} added`

const IS_CANCELLED = sql`and videos.status = 'error' and videos.error_code = 'cancelled' and videos.deleted_at is null`

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
 * has no names.
 */
async function addToPrompts(
  ctx: UserCtx,
  tx: Tx,
  { name, lines }: { name: string; lines: readonly Line[] },
): Promise<PromptsAdded> {
  const count = lines.length
  const kinds = new Set(lines.map((line) => JSON.stringify(settingsOf(line))))
  if (kinds.size > 1 || lines.some((line) => line.name !== null)) {
    await keepBatchAsList(ctx, tx, { name, lines })
    return { count, to: 'list' }
  }
  const drafts = { actor: ctx.actor, db: tx }
  const { bulk } = await getDrafts(drafts)
  const [first] = lines
  const taken = first && bulk.text.trim() === '' ? settingsOf(first) : {}
  const added = lines.map(({ prompt }) => prompt.replaceAll('\n', ' '))
  const text = [bulk.text.trimEnd(), ...added].filter((line) => line !== '').join('\n')
  await saveDraft(drafts, 'bulk', { ...bulk, ...taken, text })
  return { count, to: 'box' }
}
