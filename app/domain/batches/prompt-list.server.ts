import { z } from 'zod'
import { ENCODINGS, isEncoding } from '~/lib/decode-text.server'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { findListDraft, saveListDraft } from '../videos/requests/drafts.server'
import type { AspectRatio } from '../videos/types'
import {
  promptsIn,
  readPastedTable,
  readPromptTable,
  type PromptFile,
  type PromptTable,
} from './prompt-file.server'
import { MARKS, marksOf, withoutStamp, type Mark } from './prompt-marks'
import { BATCH_LIMITS } from './rules'
import type { ListChoice, ListRow, ListView } from './types'

const stored = z.object({
  name: z.string(),
  /** The bytes of a file, so that it can be read in another encoding; null for a pasted text. */
  bytes: z.string().nullable(),
  text: z.string(),
  encoding: z.string().nullable(),
  column: z.number().nullable(),
  /** The rows that are left out, by their place among all. */
  out: z.array(z.number()),
  /** The rows whose videos were ordered. */
  done: z.array(z.number()),
  withoutStamps: z.boolean(),
})
type Stored = z.output<typeof stored>

const FRESH = { encoding: null, column: null, out: [], done: [], withoutStamps: false }

/** The rows that a page shows. The others are counted. */
const SHOWN = 200

/**
 * Reads a file and decides whether it can go into the box as it is: one prompt per line, in a certain
 * encoding, without anything that is probably no prompt, and no more than one batch takes. Otherwise
 * it is kept as a list, which the user looks through first, and null is returned. Throws BAD_INPUT
 * for a file without prompts.
 */
export async function takePromptFile(ctx: UserCtx, file: PromptFile): Promise<string[] | null> {
  const table = await readPromptTable(file)
  const prompts = promptsIn(table)
  if (isPlain(table, prompts)) return prompts
  const bytes = Buffer.from(file.bytes).toString('base64')
  await save(ctx, { ...FRESH, name: file.name, bytes, text: '' })
  return null
}

const isPlain = ({ columns, above, isDoubtful }: PromptTable, prompts: readonly string[]) =>
  columns.length === 1 &&
  above === 0 &&
  !isDoubtful &&
  prompts.length <= BATCH_LIMITS.prompts &&
  prompts.every((text) => !text.includes('\n')) &&
  marksOf(prompts).every((marks) => marks.length === 0)

/** Keeps a pasted text with tabs as a list. Throws BAD_INPUT if it has no prompts. */
export async function takePastedTable(ctx: UserCtx, text: string): Promise<void> {
  await readPastedTable(text)
  await save(ctx, { ...FRESH, name: 'the pasted cells', bytes: null, text })
}

const save = (ctx: UserCtx, list: Stored) => saveListDraft(ctx, JSON.stringify(list))

async function find(ctx: UserCtx): Promise<Stored | null> {
  const text = await findListDraft(ctx)
  return text === null ? null : stored.parse(JSON.parse(text))
}

async function tableOf({ name, bytes, text, encoding, column }: Stored): Promise<PromptTable> {
  const wanted = encoding !== null && isEncoding(encoding) ? encoding : undefined
  const table =
    bytes === null
      ? await readPastedTable(text)
      : await readPromptTable({ name, bytes: Buffer.from(bytes, 'base64'), encoding: wanted })
  const isColumn = column !== null && column < table.columns.length
  return isColumn ? { ...table, column } : table
}

type OpenList = { list: Stored; table: PromptTable; rows: ListRow[] }

/** Reads the stored list and its rows that are neither left out nor done. */
async function open(ctx: UserCtx): Promise<OpenList | null> {
  const list = await find(ctx)
  if (list === null) return null
  const table = await tableOf(list)
  const gone = new Set([...list.out, ...list.done])
  const rest = promptsIn(table).flatMap((text, row) => {
    const prompt = list.withoutStamps ? withoutStamp(text) : text
    return gone.has(row) || prompt === '' ? [] : [{ row, prompt }]
  })
  const marks = marksOf(rest.map(({ prompt }) => prompt))
  const rows = rest.map((one, i) => ({ ...one, marks: marks[i] ?? [] }))
  return { list, table, rows }
}

/** Returns the list that the user looks through, or null. */
export async function viewPromptList(ctx: UserCtx): Promise<ListView | null> {
  const opened = await open(ctx)
  if (opened === null) return null
  const { list, table, rows } = opened
  const { ratio, negative, notes } = settingsIn(table, new Set(rows.map(({ row }) => row)))
  return {
    name: list.name,
    columns: table.columns.map(({ heading }, i) => heading || `Column ${i + 1}`),
    column: table.column,
    encoding: table.encoding,
    encodings: table.isDoubtful ? Object.entries(ENCODINGS) : [],
    rows: rows.slice(0, SHOWN),
    count: rows.length,
    marks: MARKS.map((mark) => ({
      mark,
      count: rows.filter((row) => row.marks.includes(mark)).length,
    })).filter(({ count }) => count > 0),
    out: list.out.length,
    done: list.done.length,
    ratio,
    negative,
    notes,
  }
}

/** What the other columns say about the videos. A batch has one ratio and one negative prompt. */
function settingsIn(table: PromptTable, kept: ReadonlySet<number>) {
  const notes: string[] = []
  if (table.above > 0) notes.push(`Left out above the heading: ${table.above} row(s)`)
  const one = (role: 'ratio' | 'negative', name: string) => {
    const at = table.columns.findIndex((column) => column.role === role)
    const heading = table.columns[at]?.heading
    if (heading === undefined) return null
    const rows = table.rows.filter((_, row) => kept.has(row))
    const values = new Set(rows.map((row) => (row[at] ?? '').trim()).filter((text) => text !== ''))
    const [value] = values
    if (values.size === 1 && value !== undefined) return { heading, value }
    if (values.size > 1)
      notes.push(
        `The column "${heading}" has several values and is not used: a batch has one ${name}`,
      )
    return null
  }
  const typed = one('ratio', 'aspect ratio')
  const ratio = typed && ratioOf(typed.value)
  if (typed)
    notes.push(
      ratio === null
        ? `The column "${typed.heading}" is not used: ${typed.value} is neither portrait nor landscape`
        : `The aspect ratio is that of the column "${typed.heading}"`,
    )
  const negative = one('negative', 'negative prompt')
  if (negative) notes.push(`The negative prompt is that of the column "${negative.heading}"`)
  const others = table.columns
    .filter(({ heading, role }, i) => heading !== '' && role === 'other' && i !== table.column)
    .map(({ heading }) => `"${heading}"`)
  if (others.length > 0) notes.push(`Not used: ${others.slice(0, 20).join(', ')}`)
  return { ratio, negative: negative?.value ?? null, notes }
}

function ratioOf(text: string): AspectRatio | null {
  const word = text.toLowerCase().replace(/\s/g, '')
  if (/^(?:portrait|vertical|upright|9[:x/]16|720x1280)/.test(word)) return 'portrait'
  return /^(?:landscape|horizontal|wide|16[:x/]9|1280x720)/.test(word) ? 'landscape' : null
}

/** Changes what of the list is used. Throws NOT_FOUND if there is no list any more. */
export async function changePromptList(ctx: UserCtx, choice: ListChoice): Promise<void> {
  const opened = await open(ctx)
  if (opened === null) throw noList()
  const { list, rows } = opened
  const withOut = (more: readonly number[]) => ({
    ...list,
    out: [...new Set([...list.out, ...more])],
  })
  switch (choice.kind) {
    case 'read': {
      const { column, encoding } = choice
      // Another column has other prompts. In another encoding the rows are the same, so that those
      // which were ordered are not offered, and paid for, again.
      const isOther = column !== (list.column ?? opened.table.column)
      const changed = { ...list, column, encoding, ...(isOther && { out: [], done: [] }) }
      await tableOf(changed)
      return save(ctx, changed)
    }
    case 'row':
      return save(ctx, withOut([choice.row]))
    case 'mark':
      return choice.mark === 'stamp'
        ? save(ctx, { ...list, withoutStamps: true })
        : save(ctx, withOut(rowsWith(rows, choice.mark)))
    case 'all':
      return save(ctx, { ...list, out: [], withoutStamps: false })
    case 'drop':
      return saveListDraft(ctx, null)
  }
}

const rowsWith = (rows: readonly ListRow[], mark: Mark) =>
  rows.filter(({ marks }) => marks.includes(mark)).map(({ row }) => row)

const noList = () => new AppError('NOT_FOUND', 'This list is not kept any more. Add it again.')

/** Returns the first prompts of the list that are used, at most `most`. Throws NOT_FOUND. */
export async function firstPrompts(
  ctx: UserCtx,
  most: number,
): Promise<{ row: number; prompt: string }[]> {
  const opened = await open(ctx)
  if (opened === null) throw noList()
  return opened.rows.slice(0, most)
}

/** Marks rows as done. A list without other rows is removed. */
export async function finishRows(ctx: UserCtx, done: readonly number[]): Promise<void> {
  const opened = await open(ctx)
  if (opened === null) return
  const { list, rows } = opened
  const isEmpty = rows.every(({ row }) => done.includes(row))
  if (isEmpty) return saveListDraft(ctx, null)
  await save(ctx, { ...list, done: [...list.done, ...done] })
}
