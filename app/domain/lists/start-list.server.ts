import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { oncePerKey } from '../idempotency.server'
import { clearDraftPictures, listDraftPictures } from '../videos/requests/draft-pictures.server'
import { getDrafts, saveDraft } from '../videos/requests/drafts.server'
import { nameKey, type DraftPicture } from '../videos/requests/pictures'
import { lockShownPictures, picturesOfLines } from '../batches/batch-pictures.server'
import type { StartListInput } from './schemas'
import { keyOf, lockList, openList, storeList } from './stored-list.server'
import { namedRows } from './list-pictures.server'
import type { ListRow } from './types'
import { problemsOf } from '../batches/rules'
import {
  batchReceipt,
  ownOfEach,
  ownSettings,
  type BatchReceipt,
  type LinePictures,
} from '../batches/schemas'
import { acceptBatch } from '../batches/start-batch.server'

/**
 * Starts the first prompts of the list. The batch, and that its rows were ordered, are written in one
 * transaction, so that no row is offered again after it was ordered. A list without other rows is
 * removed, and its text if it is still in the box. Throws NOT_FOUND, CONFLICT if the
 * list is not the one that the user has seen, BAD_INPUT for a prompt that cannot be used, and like
 * `startBatch`.
 */
export async function startList(
  ctx: UserCtx,
  input: StartListInput,
  key?: string,
): Promise<BatchReceipt> {
  const keyed = { key, request: ['list', input], result: batchReceipt }
  return oncePerKey(ctx, keyed, async (tx) => {
    const { first, version, shownPictures: seen = '', ...settings } = input
    const { list, table, done, rows } = await openList(await lockList(ctx, tx, version))
    const started = rows.slice(0, first)
    const lines = started.map(({ row, prompt }) => ({ line: row + 1, text: prompt }))
    const problems = [...problemsOf(lines, 'Row'), ...started.flatMap(problemsOfSettings)]
    const [problem] = problems
    if (problem !== undefined)
      throw new AppError('BAD_INPUT', problem, { fields: { first: problems } })
    const prompts = started.map(({ prompt }) => prompt)
    const own = ownOfEach(started.map((row) => row.own))
    const pictures = list.hasPictures ? await takePictures(ctx, tx, { rows, seen }) : undefined
    const order = { prompts, own, pictures: pictures?.slice(0, first), ...settings }
    const receipt = await acceptBatch(ctx, tx, order)
    const isEmpty = started.length === rows.length
    const ordered = { [keyOf(list, table)]: [...done, ...started.map(({ row }) => row)] }
    await storeList(ctx, tx, isEmpty ? null : { ...list, done: { ...list.done, ...ordered } })
    await emptyBox(ctx, tx, list)
    if (isEmpty) await clearUnlessInBox(ctx, tx, seen)
    return receipt
  })
}

/** Returns the pictures of each row. Throws CONFLICT and BAD_INPUT like `startPicturedBatch`. */
async function takePictures(
  ctx: UserCtx,
  tx: Tx,
  { rows, seen }: { rows: readonly ListRow[]; seen: string },
): Promise<(LinePictures | null)[]> {
  const found = await lockShownPictures(ctx, tx, seen)
  return picturesOfLines(ctx, { lines: namedRows(rows), found, field: 'first' })
}

/** The pictures of a list leave the form with it, unless the box still has prompts. */
async function clearUnlessInBox({ actor }: UserCtx, tx: Tx, seen: string): Promise<void> {
  const { bulk } = await getDrafts({ actor, db: tx })
  if (bulk.text.trim() === '') await clearDraftPictures(tx, { actor }, seen)
}

/** A cell may say more than the field takes. */
function problemsOfSettings({ row, own }: ListRow): string[] {
  const { error } = ownSettings.safeParse(own)
  return (error?.issues ?? []).map(({ message }) => `Row ${row + 1}: ${message}`)
}

/** A text that became a list stays in the box until the list takes its place. */
async function emptyBox({ actor }: UserCtx, tx: Tx, { text }: { text: string }): Promise<void> {
  const drafts = { actor, db: tx }
  const { bulk } = await getDrafts(drafts)
  if (bulk.text === text) await saveDraft(drafts, 'bulk', { ...bulk, text: '' })
}

/**
 * Adds the prompts of the list to the box, one per line, and removes the list. An empty box also takes the
 * settings that all rows share. Returns how many prompts they are, and whether settings, names or pictures
 * of rows were left behind, for which the box has no place. Throws NOT_FOUND.
 */
export async function moveListToPromptField(
  ctx: UserCtx,
): Promise<{ count: number; hasLost: boolean }> {
  return ctx.db.transaction(async (tx) => {
    const { list, rows, settings } = await openList(await lockList(ctx, tx))
    await emptyBox(ctx, tx, list)
    const drafts = { actor: ctx.actor, db: tx }
    const { bulk } = await getDrafts(drafts)
    const lines = rows.map(({ prompt }) => prompt.replaceAll('\n', ' '))
    const text = [bulk.text.trimEnd(), ...lines].filter((line) => line !== '').join('\n')
    const { ratio, texts } = settings
    const shared = Object.fromEntries(
      Object.entries({ ...texts, aspectRatio: ratio }).filter(([, value]) => value !== null),
    )
    const takesSettings = bulk.text.trim() === ''
    await saveDraft(drafts, 'bulk', { ...bulk, ...(takesSettings && shared), text })
    await storeList(ctx, tx, null)
    const hasOwn = rows.some(({ own }) => Object.values(own).some((value) => value !== undefined))
    const hasLost =
      hasOwn ||
      (!takesSettings && Object.keys(shared).length > 0) ||
      losesPictures(rows, await listDraftPictures(drafts))
    return { count: rows.length, hasLost }
  })
}

/** In the box the only picture is for all prompts, and several are for none. */
function losesPictures(rows: readonly ListRow[], there: readonly DraftPicture[]): boolean {
  const isOfAll = ({ picture, endPicture }: ListRow) =>
    endPicture === null &&
    there.length === 1 &&
    there.every(({ name }) => nameKey(name) === nameKey(picture ?? ''))
  return rows.some(({ picture }) => picture !== null) && !rows.every(isOfAll)
}
