import { ENCODINGS } from '~/lib/text-file.server'
import { plural } from '~/lib/figures'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { ORDER_TEXTS, TEXT_NAMES } from '../videos/order-fields'
import { findLooked, lockDraft } from '../videos/requests/drafts.server'
import type { PictureNames } from '../videos/requests/draft-pictures.server'
import { picturesOf } from '../videos/requests/picture-video.server'
import type { OrderFields } from '../videos/types'
import { isWorkbook, readWorkbookFile } from '../workbook.server'
import { namesOf, placesOf, refuseUnknownPlaces } from './list-prompts.server'
import {
  promptsIn,
  readPastedTable,
  readPromptTable,
  refusal,
  type PromptFile,
  type PromptTable,
} from './prompt-file.server'
import { MARKS } from './prompt-marks'
import { PROMPT_FILE_BYTES, PROMPT_FILE_TOO_LARGE } from './pasted-text'
import { viewRows } from './list-pictures.server'
import {
  lockList,
  openList,
  parseList,
  storeList,
  tableOf,
  versionOf,
  type OpenList,
  type StoredList,
} from './stored-list.server'
import type { ListChoice, ListView } from './types'
import { hasVariants, OWN_PLACE } from './wording'

const AS_TYPED = { out: [], withoutStamps: false, withoutSigns: false }
const FRESH = {
  ...AS_TYPED,
  encoding: null,
  column: null,
  done: {},
  isWrittenOut: true,
  wording: null,
  hasOwn: true,
  sheets: [],
  sheet: 0,
  hasMerged: false,
  rewritten: [],
}

const fresh = (ctx: UserCtx) => ({ ...FRESH, hasPictures: picturesOf(ctx) === 'on' })

/** The rows that a page shows. The others are counted. */
const SHOWN = 200

/**
 * Keeps a file as a list, which the user looks through before anything is ordered. Returns and throws like
 * `takePastedText`; BAD_INPUT for a file without prompts.
 */
export async function takePromptFile(ctx: UserCtx, file: PromptFile): Promise<Replaced> {
  if (isWorkbook(file.name)) return takeWorkbook(ctx, file)
  await readPromptTable(file)
  const bytes = Buffer.from(file.bytes).toString('base64')
  return keepNew(ctx, { ...fresh(ctx), name: file.name, bytes, text: '' })
}

async function takeWorkbook(ctx: UserCtx, file: PromptFile): Promise<Replaced> {
  const most = { most: PROMPT_FILE_BYTES, tooLarge: PROMPT_FILE_TOO_LARGE }
  const read = await readWorkbookFile(ctx, file, most)
  if ('problem' in read) throw refusal(read.problem)
  return keepNew(ctx, { ...fresh(ctx), name: file.name, bytes: null, text: '', ...read })
}

/**
 * Keeps a pasted text as a list (`isForList`). A list of the same text stays as its user has left it.
 * Returns the list that it replaced. Throws BAD_INPUT if it has no prompts, and CONFLICT if another list
 * was started and has rows left: only that list knows which.
 */
export async function takePastedText(ctx: UserCtx, text: string): Promise<Replaced> {
  await readPastedTable(text)
  // Line ends like those of the stored box, with which it is compared.
  const lines = text.replace(/\r\n?/g, '\n')
  return keepNew(ctx, { ...fresh(ctx), name: PASTED, bytes: null, text: lines })
}

const PASTED = 'the pasted text'

/** The name of a list that is gone because another one replaced it. Null: nothing to tell. */
type Replaced = string | null

/**
 * Keeps the prompts of a batch as a list, each with its own settings. Returns the list that it replaced.
 * Throws CONFLICT like `takePastedText`.
 */
export async function keepBatchAsList(
  ctx: UserCtx,
  tx: Tx,
  { name, lines }: { name: string; lines: readonly KeptLine[] },
): Promise<Replaced> {
  const labels = TEXT_NAMES.map((text) => ORDER_TEXTS[text].label)
  // What no line has gets no empty column.
  const pictures = lines.some((line) => line.picture !== undefined) ? ['Picture'] : []
  const ends = lines.some((line) => line.endPicture !== undefined) ? ['End picture'] : []
  const names = lines.some((line) => line.name !== null) ? ['Name'] : []
  const heading = ['Prompt', 'Aspect ratio', ...pictures, ...ends, ...labels, ...names]
  const rows = lines.map((line) => [
    line.prompt,
    line.aspectRatio,
    ...pictures.map(() => line.picture ?? ''),
    ...ends.map(() => line.endPicture ?? ''),
    ...TEXT_NAMES.map((text) => line[text] ?? ''),
    ...names.map(() => line.name ?? ''),
  ])
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  const text = [heading, ...rows].map((cells) => cells.map(quoted).join('\t')).join('\n')
  // What looks like variants was ordered as it is.
  return replaceList(ctx, tx, { ...fresh(ctx), name, bytes: null, text, isWrittenOut: false })
}

/** A prompt with its settings, and the names of its pictures. */
type KeptLine = OrderFields & { prompt: string } & Partial<PictureNames>

async function keepNew(ctx: UserCtx, list: StoredList): Promise<Replaced> {
  await readable(list)
  return ctx.db.transaction((tx) => replaceList(ctx, tx, list))
}

async function replaceList(ctx: UserCtx, tx: Tx, list: StoredList): Promise<Replaced> {
  const text = await lockDraft(tx, ctx, 'list')
  const before = text === null ? null : await openList(await parseList(text))
  if (before && isSame(before, list)) return null
  if (before) refuseIfStarted(before)
  await storeList(ctx, tx, list)
  return before && isMissed(before) ? before.list.name : null
}

/** Whether a list is that of the box. Equal prompts that come from a batch are other ones. */
const isPasted = ({ name, bytes }: StoredList) => name === PASTED && bytes === null

/** Whether the text of the list is opened again. */
const isSame = ({ list, rows }: OpenList, next: StoredList) =>
  rows.length > 0 && isPasted(list) && isPasted(next) && list.text === next.text

/** Returns whether replacing the list would lose work. The text of one that was only opened is in the box. */
const isMissed = ({ list, rows }: OpenList) =>
  rows.length > 0 && (!isPasted(list) || list.out.length > 0 || list.wording !== null)

function refuseIfStarted({ list, done, rows }: OpenList): void {
  if (done.length === 0 || rows.length === 0) return
  const problem = `${plural(rows.length, 'row')} of ${list.name} ${rows.length === 1 ? 'is' : 'are'} left in the list of prompts. Start them, move them to the box, or remove the list first.`
  throw new AppError('CONFLICT', problem, { fields: { file: [problem] } })
}

/** Says what became of the list that was there before. */
export const replacedText = (name: string): string => `This list replaces the one from ${name}.`

/** Returns the list that the user looks through, or null. */
export async function viewPromptList(ctx: UserCtx): Promise<ListView | null> {
  const text = await findLooked(ctx, 'list')
  if (text === null) return null
  const { list, table, settings, done, rows, rewritten } = await openList(await parseList(text))
  const { ratio, texts, notes, isVaried } = settings
  return {
    version: versionOf(text),
    name: list.name,
    columns: namesOf(table),
    column: table.column,
    isColumnKnown: list.column !== null || hasPromptHeading(table),
    encoding: table.encoding,
    sheets: list.sheets.map(({ name }) => name),
    sheet: list.sheet,
    encodings: table.isDoubtful ? Object.entries(ENCODINGS) : [],
    ...(await viewRows(ctx, { rows, most: SHOWN, hasPictures: list.hasPictures })),
    count: rows.length,
    marks: MARKS.map((mark) => ({
      mark,
      count: rows.filter((row) => row.marks.includes(mark)).length,
    })).filter(({ count }) => count > 0),
    out: list.out.length,
    done: done.length,
    rewritten,
    ratio,
    texts,
    notes,
    hasOwn: isVaried ? list.hasOwn : null,
    wording: list.wording ?? OWN_PLACE,
    places: placesOf(table),
    variants: {
      isWrittenOut: list.isWrittenOut,
      rows: promptsIn(table).filter(hasVariants).length,
    },
  }
}

/** Whether the heading of the column says that it contains prompts. */
function hasPromptHeading({ columns, column }: PromptTable): boolean {
  const role = columns[column]?.role
  return role === 'prompt' || role === 'likely'
}

/** Changes what of the list is used. Throws NOT_FOUND if there is no list any more. */
export async function changePromptList(ctx: UserCtx, choice: ListChoice): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const list = await lockList(ctx, tx)
    await storeList(ctx, tx, await withChoice(list, choice))
  })
}

async function withChoice(list: StoredList, choice: ListChoice): Promise<StoredList | null> {
  const without = (rows: readonly number[]) => ({
    ...list,
    out: [...new Set([...list.out, ...rows])],
  })
  switch (choice.kind) {
    case 'read': {
      const { column, encoding } = choice
      const before = await tableOf(list)
      const after = await tableOf({ ...list, column, encoding })
      if (after.rows.length === 0) throw new AppError('BAD_INPUT', 'This column is empty')
      // Another column has other prompts.
      const out = after.column === before.column ? list.out : []
      return { ...list, column, encoding, out }
    }
    case 'sheet': {
      if (!list.sheets[choice.sheet]) throw new AppError('BAD_INPUT', 'There is no such sheet')
      // It has columns of its own, which a wording does not know.
      return readable({ ...list, sheet: choice.sheet, column: null, wording: null, out: [] })
    }
    case 'row':
      return without([choice.row])
    case 'mark': {
      if (choice.mark === 'stamp') return { ...list, withoutStamps: true }
      if (choice.mark === 'sign') return { ...list, withoutSigns: true }
      const { rows } = await openList(list)
      return without(rows.filter(({ marks }) => marks.includes(choice.mark)).map(({ row }) => row))
    }
    case 'variants':
      // Other prompts, of which none was left out.
      return readable({ ...list, isWrittenOut: choice.isWrittenOut, out: [] })
    case 'own':
      return { ...list, hasOwn: choice.hasOwn }
    case 'wording': {
      refuseUnknownPlaces(choice.wording, await tableOf(list))
      const isUsual = ['', OWN_PLACE].includes(choice.wording)
      return readable({ ...list, wording: isUsual ? null : choice.wording, out: [] })
    }
    case 'as-before':
      return { ...list, rewritten: [] }
    case 'all':
      return { ...list, ...AS_TYPED }
    case 'drop':
      return null
  }
}

/** Returns the list if its prompts are not too many. */
async function readable(list: StoredList): Promise<StoredList> {
  await openList(list)
  return list
}
