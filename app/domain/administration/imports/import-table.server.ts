import { figure } from '~/lib/figures'
import { dividedBy, headingRow, isBlank, type HeadingTest, type Sign } from '~/lib/table'
import { readTypedRows, type Row } from '~/lib/table.server'
import { linesOf } from '~/lib/text'
import { hasMoreLines, MOST_LINE_CHARACTERS, TOO_MANY_LINES } from '~/lib/text-limits'
import { columnOf, EXPORT_COLUMNS, type ColumnName } from '../account-fields'
import type { ImportHeading } from '../types'
import { USER_RULES } from '../rules'
import { fromCell, HASHED, splitLine } from '../users/export-format'
import { toEntry, type ImportEntry } from './import-rules'

/** A line with at least this many fields has the export's columns. */
const FULL_FORMAT_FIELDS = 10
/** The columns of any other line. All but the first two may be missing. */
const SIMPLE_COLUMNS = ['username', 'password', 'expireDays', 'bearerToken'] as const

/** Many times what one import takes, because some rows are empty. */
const MOST_ROWS = 1000

/** What the person says that columns contain, by heading. Null: it is not used. */
export type ChosenColumns = ReadonlyMap<string, ColumnName | null>

/** The texts of a line by column, and those beyond its columns. */
export type Columns = { columns: Partial<Record<string, string>>; beyond: readonly string[] }

/** A row of the text and the lines that it takes: an entry with the texts it was read from, or what is wrong. */
export type ImportLine = { line: number; lines: number } & (
  ({ entry: ImportEntry; unknown: readonly string[] } & Columns) | { problem: string }
)

/** The users of a text, and what its columns are taken for, if it has a heading. */
export type ReadImport = { lines: ImportLine[]; headings: ImportHeading[] }

/**
 * Reads the users of a pasted text, without blank lines, comments and headings: at most one more than an import
 * takes. A text of too many lines is one line with that problem: nothing of it is split. The first user names
 * the headings that are not known (`unknown`). What a person has chosen goes before what a heading says.
 */
export async function parseImport(
  text: string,
  chosen: ChosenColumns = new Map(),
): Promise<ReadImport> {
  if (hasMoreLines(text))
    return { lines: [{ line: 1, lines: 1, problem: TOO_MANY_LINES }], headings: [] }
  const lines = linesOf(text.replace(/^\uFEFF/, ''))
  const isLong = (line: string) => line.length > MOST_LINE_CHARACTERS
  const table = await readTable(lines.map((line) => (isLong(line) ? '' : line)).join('\n'), chosen)
  const tooLong = lines.flatMap((line, i): ImportLine[] => {
    const problem = `Line ${i + 1} has more than ${figure(MOST_LINE_CHARACTERS)} characters`
    return isLong(line) ? [{ line: i + 1, lines: 1, problem }] : []
  })
  const most = USER_RULES.importAtOnce + 1
  const read = table.rows.slice(0, most).map((row, i) => readRow(row, table, i === 0))
  return {
    lines: [...tooLong, ...read].sort((one, other) => one.line - other.line).slice(0, most),
    headings: table.headings,
  }
}

type Table = {
  sign: Sign
  /** The rows of users. */
  rows: Row[]
  /** The column of each cell, if a heading names them; null for one that is not known. */
  columns: (ColumnName | null)[] | null
  /** The headings that are written, and what they mean. */
  headings: ImportHeading[]
  /** Of each cell of the heading that is kept in the note, what stands before its value there. */
  prefixes: string[]
}

/**
 * The heading of an import: two columns or more, with a username among them; or else one that is known beside
 * others that are not, which no line of a user is, because it has digits.
 */
const HEADINGS: readonly HeadingTest[] = [
  (cells) => {
    const found = new Set(cells.map(columnOf).filter((column) => column !== null))
    return found.size > 1 && (found.has('username') || found.has('phone'))
  },
  (cells, sign) =>
    sign !== '|' && isOfWords(cells) && cells.some((cell) => columnOf(cell) !== null),
]
const isOfWords = (cells: readonly string[]) =>
  filledIn(cells) > 1 && !cells.some((cell) => /[\d|@]/.test(cell))
/** Texts that were added one below the other have several. */
const OWN_HEADING = /^username\|(?:phone|password)\b/i
/** Whether a line is no user: a comment, or a row of empty cells. */
const isSkipped = (line: string) => /^(?:#|"?sep=|[\s;,]*$)/i.test(line.trim())

/**
 * Reads a text as a table. A heading among its first rows names the columns, in any order. Without one, lines
 * with pipes have our own formats, and a table of a spreadsheet is recognised by equally many cells in every
 * row.
 */
async function readTable(text: string, chosen: ChosenColumns): Promise<Table> {
  const { sign: named, body } = dividedBy(text, HEADINGS, isSkipped)
  const headed = named === undefined ? await signOfWords(body) : undefined
  const sign = named ?? headed ?? (await signOf(body))
  const all = await readBy(sign, body)
  const cellsOfAll = all.map(({ cells }) => cells)
  const place = headed === undefined ? headingRow(cellsOfAll, sign, HEADINGS) : 0
  const heading = all[place]?.cells ?? null
  // Titles of a spreadsheet stand above its heading, in one cell each.
  const above = all.slice(0, Math.max(0, place))
  const firstRow = above.findIndex(({ cells }) => sign === '|' || filledIn(cells) > 1)
  const titles = new Set(firstRow < 0 ? above : above.slice(0, firstRow))
  const written = heading?.join('|')
  const rows = all.filter((row) => {
    const line = row.cells.join('|')
    return !titles.has(row) && line !== written && !OWN_HEADING.test(line)
  })
  const meant = heading?.map((cell) =>
    chosen.has(cell) ? (chosen.get(cell) ?? null) : columnOf(cell),
  )
  const columns = meant ? asColumns(meant) : null
  const headings = (heading ?? []).flatMap((text, i): ImportHeading[] =>
    text === '' ? [] : [{ text, column: columns?.[i] === null ? null : (meant?.[i] ?? null) }],
  )
  const prefixes = (heading ?? []).map((text) => (columnOf(text) === 'note' ? '' : `${text}: `))
  return { sign, rows, columns, headings, prefixes }
}

/** Why no line of a table can be read. */
export const NO_USERNAME = 'no column has the phone number or username'

const filledIn = (cells: readonly string[]) => cells.filter((cell) => cell !== '').length

/** Reads the rows that are users or headings, with their cells decoded. */
async function readBy(sign: Sign, text: string): Promise<Row[]> {
  const rows =
    sign === '|'
      ? linesOf(text).map((line, i) => ({ cells: splitLine(line), line: i + 1, lines: 1 }))
      : await readTypedRows(text, { sign, most: MOST_ROWS, comment: '#', isOfRecords: true })
  return rows
    .filter(({ cells }) => !isBlank(cells) && !isSkipped(cells.join('')))
    .map((row) => ({ ...row, cells: row.cells.map(fromCell) }))
}

async function signOf(text: string): Promise<Sign> {
  const data = linesOf(text).filter((line) => !isSkipped(line))
  if (data.some((line) => splitLine(line).length > 1)) return '|'
  for (const sign of ['\t', ';', ','] as const) {
    if (!text.includes(sign)) continue
    const rows = (await readBy(sign, text)).map(({ cells }) => cells)
    const width = rows[0]?.length ?? 1
    const isTable = width > 1 && rows.every(({ length }) => length === width)
    if (isTable && (sign === '\t' || rows.every(([first = '']) => /^["'=+\s]*\d/.test(first))))
      return sign
  }
  return '|'
}

/**
 * Returns the sign of a table whose heading has only words that are not known: a first row without digits above
 * rows that all have a telephone number in the same column. Two cells between tabs may be a name and a password.
 */
async function signOfWords(body: string): Promise<Sign | undefined> {
  for (const sign of ['\t', ';', ','] as const) {
    const [first = [], ...others] = (await readBy(sign, body)).map(({ cells }) => cells)
    const isPhone = (cell = '') => /^\+?\d{7,15}$/.test(cell.replace(/[\s()-]/g, ''))
    const least = sign === '\t' ? 3 : 2
    if (!isOfWords(first) || first.length < least || others.length === 0) continue
    if (first.some((_, i) => others.every((cells) => isPhone(cells[i])))) return sign
  }
  return undefined
}

/**
 * A column of phone numbers holds the usernames, unless another one does. A repeated heading counts once, but a
 * note may come from several columns.
 */
function asColumns(columns: readonly (ColumnName | null)[]): (ColumnName | null)[] {
  const named = columns.includes('username')
  return columns
    .map((column) => (column === 'phone' && !named ? 'username' : column))
    .map((column, i, all) => (column === 'note' || all.indexOf(column) === i ? column : null))
}

/** Without a heading, empty cells at both ends are the margins of a sheet. */
const withoutMargins = (cells: readonly string[]) => {
  const isFilled = (cell: string) => cell !== ''
  return cells.slice(cells.findIndex(isFilled), cells.findLastIndex(isFilled) + 1)
}

function readRow(
  { cells, ...place }: Row,
  { sign, columns, headings, prefixes }: Table,
  isFirst: boolean,
): ImportLine {
  const fields = columns === null && sign === '\t' ? withoutMargins(cells) : cells
  const wrong = (problem: string) => ({ ...place, problem: `Line ${place.line}: ${problem}` })
  if (fields.length < 2) return wrong('Invalid format (minimum: username|password)')
  const names = columns ?? (fields.length >= FULL_FORMAT_FIELDS ? EXPORT_COLUMNS : SIMPLE_COLUMNS)
  const values: Columns['columns'] = Object.fromEntries(
    names.flatMap((name, i) => (name === null ? [] : [[name, fields[i] ?? '']])),
  )
  if (columns !== null && !columns.includes('username')) return wrong(NO_USERNAME)
  const { note: _, ...others } = values
  // But for a note no value has several lines: two stray marks would make one user of two.
  if (Object.values(others).some((value) => value?.includes('\n')))
    return wrong('a quotation mark is not closed or stands alone')
  const note = names.flatMap((name, i) =>
    name === 'note' && fields[i] ? [`${prefixes[i] ?? ''}${fields[i]}`] : [],
  )
  // A line without a password changes an account, and a new one gets a link to set one.
  const entry = toEntry({
    ...values,
    ...(!values.password && { password: HASHED }),
    note: note.join('\n'),
  })
  const beyond = fields.slice(names.length)
  const unknown = headings.flatMap(({ text, column }) => (column === null ? [text] : []))
  return { ...place, entry, columns: values, beyond, unknown: isFirst ? unknown : [] }
}
