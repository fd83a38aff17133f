import { plural } from '~/lib/figures'
import { excerpt } from '~/lib/text'
import { eachText, ORDER_TEXTS, TEXT_NAMES, type TextName } from '../videos/order-fields'
import { cleanName, isLongName, shortName, VIDEO_NAME_CHARACTERS } from '../videos/video-names'
import type { AspectRatio } from '../videos/types'
import type { OrderTexts } from '~/platform/providers/port'
import { namesOf } from './list-prompts.server'
import type { PromptTable } from './prompt-file.server'
import type { Role } from './prompt-headings'
import type { OwnSettings } from '../batches/types'
import { fills, placesIn } from './wording'

/** What a list's columns say beside the prompts. */
export type ListSettings = {
  /** What all rows have, if their cells say the same. */
  ratio: AspectRatio | null
  texts: OrderTexts
  /** What a row has of its own, by its place in the table. */
  ownOf: (row: number) => OwnSettings
  /** Whether the cells of a column say different things. */
  isVaried: boolean
  /** How the columns are used, for the user. */
  notes: string[]
}

/**
 * Returns what the other columns of a table say about the videos of the rows that are kept. Where they say
 * different things, each row has what its own cell says, if `hasOwn`, or else what the user chooses for all.
 * What the wording names is used, too.
 */
export function settingsIn(
  table: PromptTable,
  kept: ReadonlySet<number>,
  { hasOwn, wording }: { hasOwn: boolean; wording: string | null },
): ListSettings {
  const rows = table.rows.filter((_, row) => kept.has(row))
  const found = {
    ratio: readColumn({ ...table, rows }, { role: 'ratio', name: 'aspect ratio', read: ratioOf }),
    texts: eachText((role) => {
      const name = ORDER_TEXTS[role].label.toLowerCase()
      return readColumn({ ...table, rows }, { role, name, read: (cell) => cell || null })
    }),
  }
  const columns = [found.ratio, ...TEXT_NAMES.map((name) => found.texts[name])]
  const names = namesIn({ ...table, rows })
  return {
    ratio: found.ratio?.value ?? null,
    texts: eachText((name) => found.texts[name]?.value ?? null),
    ownOf: (at) => {
      const row = table.rows[at] ?? []
      return { ...(hasOwn && ownOf(found, row)), ...(names && { name: names.nameIn(row) }) }
    },
    isVaried: columns.some((column) => column?.isVaried),
    notes: [
      ...notesAbove(table),
      ...notesOnNames(table),
      ...columns.flatMap((column) => (column ? notesOn(column, hasOwn) : [])),
      ...(names?.notes ?? []),
      ...notesBeside(table, { names: names?.at, places: placesIn(wording ?? '') }),
    ],
  }
}

/** A setting that a column may give, and how a cell is read. A cell that says nothing is null. */
type Setting<T> = { role: 'ratio' | TextName; name: string; read: (cell: string) => T | null }

type Column<T> = {
  heading: string
  /** What the column is about. */
  name: string
  /** What all cells say that say something. Null if they differ. */
  value: T | null
  isVaried: boolean
  /** A cell that cannot be understood. */
  unread: string | undefined
  valueIn: (row: readonly string[]) => T | null
}

function readColumn<T>(
  { columns, rows }: PromptTable,
  { role, name, read }: Setting<T>,
): Column<T> | null {
  const at = columns.findIndex((column) => column.role === role)
  const heading = columns[at]?.heading
  if (heading === undefined) return null
  const cellIn = (row: readonly string[]) => (row[at] ?? '').trim()
  const cells = [...new Set(rows.map(cellIn))].filter((cell) => cell !== '')
  const values = new Set(cells.map(read).filter((value) => value !== null))
  const [value = null] = values
  const isVaried = values.size > 1
  return {
    heading,
    name,
    value: isVaried ? null : value,
    isVaried,
    unread: cells.find((cell) => read(cell) === null),
    valueIn: (row) => read(cellIn(row)),
  }
}

/** `at` is the place of the column. */
type Names = {
  at: number
  nameIn: (row: readonly string[]) => string | undefined
  notes: string[]
}

/**
 * Reads the first column of names that says something. They are no setting: a name is one video's own, also
 * if all are the same. A longer one is cut, because the column may be one of titles for another purpose.
 */
function namesIn({ columns, rows, column }: PromptTable): Names | null {
  const at = columns.findIndex(
    ({ role }, i) =>
      role === 'name' && i !== column && rows.some((row) => cleanName(row[i] ?? '') !== ''),
  )
  const heading = columns[at]?.heading
  if (heading === undefined) return null
  const cellIn = (row: readonly string[]) => cleanName(row[at] ?? '')
  const long = rows.map(cellIn).filter(isLongName)
  const [first] = long
  return {
    at,
    nameIn: (row) => shortName(cellIn(row)) || undefined,
    notes: [
      `Each video gets the name in its "${heading}" cell`,
      ...(first === undefined
        ? []
        : [
            `${plural(long.length, 'name')} of more than ${VIDEO_NAME_CHARACTERS} characters ${long.length === 1 ? 'is' : 'are'} cut, such as "${excerpt(first, 80)}"`,
          ]),
    ],
  }
}

type Found = { ratio: Column<AspectRatio> | null; texts: Record<TextName, Column<string> | null> }

function ownOf({ ratio, texts }: Found, row: readonly string[]): OwnSettings {
  const own = <T>(column: Column<T> | null) =>
    column?.isVaried ? (column.valueIn(row) ?? undefined) : undefined
  return { ...eachText((name) => own(texts[name])), aspectRatio: own(ratio) }
}

function notesAbove({ above, columns }: PromptTable): string[] {
  const [only] = columns
  const isOnly = only && only.heading !== '' && columns.length === 1
  return [
    ...(above > 0 ? [`Left out above the heading: ${plural(above, 'row')}`] : []),
    ...(isOnly ? [`The first row, "${excerpt(only.heading, 60)}", is the heading`] : []),
  ]
}

/** Two columns cannot have one name in a wording. */
const notesOnNames = ({ columns }: PromptTable): string[] =>
  namesOf({ columns }).flatMap((name, i) => {
    const heading = columns[i]?.heading ?? ''
    return heading === '' || heading === name
      ? []
      : [`In a wording, the column "${excerpt(heading, 60)}" is {${excerpt(name, 60)}}`]
  })

function notesOn<T>(column: Column<T>, hasOwn: boolean): string[] {
  const { heading, name, value, isVaried, unread } = column
  const notes: string[] = []
  if (value !== null) notes.push(`The ${name} is that of the column "${heading}"`)
  if (isVaried)
    notes.push(
      hasOwn
        ? `Each row uses the ${name} in its "${heading}" cell, or the one chosen below`
        : `The column "${heading}" has several values and is not used: all rows get the same ${name}`,
    )
  if (unread !== undefined)
    notes.push(`"${excerpt(unread, 60)}" in the column "${heading}" cannot be used as the ${name}`)
  return notes
}

type Used = { names: number | undefined; places: ReadonlySet<string> }

function notesBeside({ columns, column }: PromptTable, { names, places }: Used): string[] {
  const inWording = namesOf({ columns })
  const others = columns
    .filter(
      ({ heading, role }, i) =>
        heading !== '' &&
        ![column, names].includes(i) &&
        !isSetting(role) &&
        !fills(inWording[i] ?? heading, places),
    )
    .map(({ heading }) => `"${heading}"`)
  return others.length > 0 ? [`Not used: ${others.slice(0, 20).join(', ')}`] : []
}

/** Whether a column says something about the videos beside their prompts and names. */
const isSetting = (role: Role) => ['ratio', 'picture', 'end', ...TEXT_NAMES].includes(role)

function ratioOf(text: string): AspectRatio | null {
  const word = text.toLowerCase().replace(/\s/g, '')
  if (/^(?:portrait|vertical|upright|9[:x/]16|720x1280)/.test(word)) return 'portrait'
  return /^(?:landscape|horizontal|wide|16[:x/]9|1280x720)/.test(word) ? 'landscape' : null
}
