import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isEncoding } from '~/lib/text-file.server'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { MERGED } from '../workbook.server'
import { lockDraft, saveLooked } from '../videos/requests/drafts.server'
import { picturesIn } from './list-pictures.server'
import { promptsOf } from './list-prompts.server'
import { settingsIn, type ListSettings } from './list-settings.server'
import {
  readPastedTable,
  readPromptSheet,
  readPromptTable,
  type PromptTable,
} from './prompt-file.server'
import { marksOf } from './prompt-marks'
import type { ListRow } from './types'

// A list as it is stored with the drafts, and the rows that it has now.

const stored = z.object({
  name: z.string(),
  /** The bytes of a file, so that it can be read in another encoding; null for a pasted text. */
  bytes: z.string().nullable(),
  text: z.string(),
  encoding: z.string().nullable(),
  column: z.number().nullable(),
  /** The rows that are left out, by their place among all. */
  out: z.array(z.number()),
  /**
   * The rows whose videos were ordered, by column and wording (`keyOf`): each has prompts of its own. Lists
   * that were stored earlier know them for the column in use only.
   */
  done: z.union([z.record(z.array(z.number())), z.array(z.number())]),
  withoutStamps: z.boolean(),
  /** Numbers, bullets and quotation marks. Lists that were stored earlier do not say. */
  withoutSigns: z.boolean().default(false),
  /** Whether `{a|b}` in a row makes two prompts, and how each is written (wording.ts); as it is: null. */
  isWrittenOut: z.boolean().default(false),
  wording: z.string().nullable().default(null),
  /** Whether each row has what its own cells say. Lists that were stored earlier have one setting for all. */
  hasOwn: z.boolean().default(false),
  /** Whether the rows may name pictures. Lists that were stored earlier have none. */
  hasPictures: z.boolean().default(false),
  /** The sheets of a workbook, as text, and the place of the one in use. Other lists have none. */
  sheets: z.array(z.object({ name: z.string(), text: z.string() })).default([]),
  sheet: z.number().default(0),
  hasMerged: z.boolean().default(false),
  /** Prompts as they come from the table, and what the user has put in their place (rewrites.ts). */
  rewritten: z.array(z.tuple([z.string(), z.string()])).default([]),
})
/** A list as its user has left it. */
export type StoredList = Omit<z.output<typeof stored>, 'done'> & { done: Record<string, number[]> }

/** Reads what is stored of a list. */
export async function parseList(text: string): Promise<StoredList> {
  const list = stored.parse(JSON.parse(text))
  const { done } = list
  return {
    ...list,
    done: Array.isArray(done) ? { [keyOf(list, await tableOf(list))]: done } : done,
  }
}

/** Names what decides which prompts the rows have, and their order. */
export const keyOf = (
  { isWrittenOut, wording, sheet }: Pick<StoredList, 'isWrittenOut' | 'wording' | 'sheet'>,
  { column }: Pick<PromptTable, 'column'>,
): string => {
  const more = sheet === 0 ? [] : [sheet]
  return wording === null && !isWrittenOut && sheet === 0
    ? `${column}`
    : JSON.stringify([column, isWrittenOut, wording, ...more])
}

/** A page and the list that it shows have the same version. */
export const versionOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Reads the table of a list, in the encoding and with the column that its user has chosen. */
export function tableOf({
  name,
  bytes,
  text,
  ...choice
}: Omit<StoredList, 'done'>): Promise<PromptTable> {
  const encoding =
    choice.encoding !== null && isEncoding(choice.encoding) ? choice.encoding : undefined
  const column = choice.column ?? undefined
  const sheet = choice.sheets[choice.sheet]
  if (sheet) return readPromptSheet(sheet.text, { name: `“${sheet.name}”`, chosen: column })
  return bytes === null
    ? readPastedTable(text, column)
    : readPromptTable({ name, bytes: Buffer.from(bytes, 'base64'), encoding, column })
}

/** A list with the rows that are neither left out nor done. */
export type OpenList = {
  list: StoredList
  table: PromptTable
  settings: ListSettings
  done: readonly number[]
  rows: ListRow[]
  /** How many of the rows have other words than the table. */
  rewritten: number
}

/** Reads the rows of a list that are neither left out nor done. */
export async function openList(list: StoredList): Promise<OpenList> {
  const { table, picturesOf, notes } = picturesIn(await tableOf(list), list.hasPictures)
  const done = list.done[keyOf(list, table)] ?? []
  const gone = new Set([...list.out, ...done])
  const rewritten = new Map(list.rewritten)
  const rest = promptsOf(table, list).flatMap(({ prompt, ...written }, row) =>
    gone.has(row) || prompt === ''
      ? []
      : [
          {
            row,
            ...written,
            prompt: rewritten.get(prompt) ?? prompt,
            isNew: rewritten.has(prompt),
          },
        ],
  )
  const found = settingsIn(table, new Set(rest.map(({ source }) => source)), list)
  const merged = list.hasMerged ? [MERGED] : []
  const settings = { ...found, notes: [...merged, ...found.notes, ...notes] }
  const owned = rest.map((one) => ({
    ...one,
    own: settings.ownOf(one.source),
    ...picturesOf(one.source),
  }))
  const marks = marksOf(
    owned.map(({ own, picture, endPicture, ...one }) => ({
      ...one,
      own: { ...own, picture, endPicture },
    })),
  )
  const rows = owned.map(({ row, prompt, own, picture, endPicture }, i) => ({
    row,
    prompt,
    own,
    picture,
    endPicture,
    marks: marks[i] ?? [],
  }))
  return { list, table, settings, done, rows, rewritten: rest.filter(({ isNew }) => isNew).length }
}

/** Why there is no list to look through. */
export const NO_LIST =
  'It was started, moved to the box or removed. To use a file again, add it again.'

/**
 * Reads the list in a transaction that changes it. Throws NOT_FOUND if there is none any more, and
 * CONFLICT if it is not in the version that the user has seen, where that matters.
 */
export async function lockList(ctx: UserCtx, tx: Tx, seen?: string): Promise<StoredList> {
  const text = await lockDraft(tx, ctx, 'list')
  if (text === null) throw new AppError('NOT_FOUND', NO_LIST)
  if (seen === undefined || seen === versionOf(text)) return parseList(text)
  throw new AppError(
    'CONFLICT',
    'The list has changed since this page was opened, maybe in another tab. Nothing was started. Look at the rows again.',
  )
}

/** Stores the list, or removes it. */
export const storeList = ({ actor }: UserCtx, tx: Tx, list: StoredList | null) =>
  saveLooked({ actor, db: tx }, 'list', list && JSON.stringify(list))
