import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { decodeText, type Encoding } from '~/lib/decode-text.server'
import { figure } from '~/lib/figures'
import { linesOf, trimText } from '~/lib/text'
import { AppError } from '../errors'
import { PROMPT_FILE_BYTES, PROMPT_FILE_TOO_LARGE } from './prompt-file-limits'
import { roleOf, type Role } from './prompt-marks'

/** Maximum number of prompts in one file: many times what one batch takes. */
const MOST_PROMPTS = 5000

export type PromptFile = {
  name: string
  bytes: Uint8Array
  encoding?: Encoding | undefined
  /** The column that the user has chosen. */
  column?: number | undefined
}

/** The rows of a file or a pasted table. */
export type PromptTable = {
  /** One for each column; '' for a column without a heading. */
  columns: { heading: string; role: Role }[]
  /** The rows with a prompt. There are none if the user has chosen an empty column. */
  rows: string[][]
  /** The column that contains the prompts. */
  column: number
  /** How many rows stand above the heading. They are no prompts. */
  above: number
  encoding: Encoding
  isDoubtful: boolean
}

const DELIMITERS = [',', ';', '\t'] as const
type Delimiter = (typeof DELIMITERS)[number]
/** The heading is looked for in so many columns and rows. */
const MOST_COLUMNS = 1000
const HEADING_ROWS = 5
/** More commas than a prompt has characters. */
const MOST_CELLS = 10_000

const KINDS = /\.(txt|csv|tsv|tab|jsonl|ndjson)$/i
const WORKBOOKS = /\.(?:xlsx?|xlsm|xlsb|ods|numbers)$/i
const SAVE_AS_CSV =
  'This is a workbook. Save it as CSV first: in Excel with File, Save As, CSV UTF-8; in Google Sheets with File, Download, CSV'

/**
 * Reads a file of prompts: a .txt or .jsonl file (one prompt per line, a JSON object as it is), or a
 * table (.csv, .tsv, and a .txt file with tabs). Throws BAD_INPUT for any other kind of file, for a
 * binary file with one of these names, an empty file, too many prompts, or a malformed table (with
 * its line number). The time taken is linear in the size of the file, and a table is parsed in pieces.
 */
export async function readPromptTable(file: PromptFile): Promise<PromptTable> {
  const { name, bytes } = file
  if (WORKBOOKS.test(name)) throw refusal(SAVE_AS_CSV)
  const kind = KINDS.exec(name)?.[1]?.toLowerCase()
  if (kind === undefined) throw refusal('Choose a .txt, .jsonl or .csv file, or a .tsv file')
  if (bytes.length > PROMPT_FILE_BYTES) throw refusal(PROMPT_FILE_TOO_LARGE)
  const { text: decoded, encoding, isDoubtful } = decodeText(bytes, file.encoding)
  const text = decoded.replace(/^\uFEFF/, '')
  // A wrong choice must not look like a wrong file.
  if (BINARY.test(text) || (!isDoubtful && NOT_TEXT.test(text)))
    throw refusal(`${name} is not a text file`)
  const isLines = kind === 'jsonl' || kind === 'ndjson'
  // Excel's "Unicode Text" is a .txt file with the cells of a table.
  const hasTabs = kind.startsWith('t') && (kind !== 'txt' || hasCells(text) || isWide(encoding))
  const rows = hasTabs
    ? await readTable(text, { name, delimiter: '\t' })
    : kind === 'csv'
      ? await readCsv(text, name)
      : linesOf(text).map((line) => [line])
  return {
    ...tableOf(rows, {
      name,
      isLines: isLines || (kind === 'txt' && !hasTabs),
      chosen: file.column,
    }),
    encoding,
    isDoubtful,
  }
}

const isWide = (encoding: Encoding) => encoding.startsWith('utf-16')

/** Reads a pasted text with tabs as a table. Throws BAD_INPUT like `readPromptTable`. */
export async function readPastedTable(
  text: string,
  chosen?: PromptFile['column'],
): Promise<PromptTable> {
  const name = 'the pasted text'
  const rows = await readTable(text, { name, delimiter: '\t' })
  return {
    ...tableOf(rows, { name, isLines: false, chosen }),
    encoding: 'utf-8',
    isDoubtful: false,
  }
}

/** Returns whether a text contains the cells of a table: a tab within a line that is not JSON. */
export const hasCells = (text: string): boolean =>
  linesOf(text).some((line) => trimText(line).includes('\t') && !/^\s*[{[]/.test(line))

/** Returns the prompts of a column, trimmed. Line breaks within a cell stay. */
export const promptsIn = ({ rows, column }: PromptTable): string[] =>
  rows.map((row) =>
    (row[column] ?? '')
      .split(/\r\n?|\n/)
      .map((line) => line.trim())
      .join('\n')
      .trim(),
  )

/**
 * Returns the prompts of a file for a box with one prompt per line. Throws BAD_INPUT like
 * `readPromptTable`.
 */
export async function readPromptFile(file: PromptFile): Promise<string[]> {
  return promptsIn(await readPromptTable(file)).map(oneLine)
}

const refusal = (text: string) => new AppError('BAD_INPUT', text, { fields: { file: [text] } })

const tooMany = (name: string) => refusal(`${name} has more than ${figure(MOST_PROMPTS)} prompts`)

/** Characters that no text file contains: control characters other than white space, and U+FFFD. */
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/
const NOT_TEXT = /[^\P{Cc}\s\u0085]|\uFFFD/u

const isBlank = (row: readonly string[]) => row.every((cell) => cell.trim() === '')

/** The first of the first rows with a heading of prompts, or -1. In one column it must be alone. */
function headingRow(rows: readonly (readonly string[])[]): number {
  const isHeading = (row: readonly string[]) =>
    row.slice(0, MOST_COLUMNS).some((cell) => roleOf(cell) === 'prompt')
  return rows.slice(0, HEADING_ROWS).findIndex(isHeading)
}

/** Finds the heading and the column of prompts. Throws BAD_INPUT for no prompts, or too many. */
function tableOf(
  all: readonly string[][],
  { name, isLines, chosen }: { name: string; isLines: boolean; chosen: PromptFile['column'] },
): Pick<PromptTable, 'columns' | 'rows' | 'column' | 'above'> {
  const filled = all.filter((row) => !isBlank(row))
  const above = isLines ? -1 : headingRow(filled)
  const headings = filled[above] ?? []
  const body = filled.slice(above + 1)
  const width = body.reduce((most, row) => Math.max(most, row.length), headings.length)
  const columns = Array.from({ length: Math.min(width, MOST_COLUMNS) }, (_, i) => {
    const heading = (headings[i] ?? '').replace(/\s+/g, ' ').trim()
    return { heading, role: above < 0 ? ('other' as const) : roleOf(heading) }
  })
  const isChosen = chosen !== undefined && chosen < columns.length
  const named = columns.findIndex(({ role }) => role === 'prompt')
  const found = named >= 0 ? named : longestColumn(body, columns.length)
  const column = isChosen ? chosen : found
  const rows = body.filter((row) => (row[column] ?? '').trim() !== '')
  if (rows.length > MOST_PROMPTS) throw tooMany(name)
  if (rows.length === 0 && !isChosen) throw refusal(`There are no prompts in ${name}`)
  return { columns, rows, column, above: Math.max(0, above) }
}

/** Without a heading, prompts are in the column with most text. */
function longestColumn(rows: readonly (readonly string[])[], width: number): number {
  const sizes = Array.from({ length: width }, () => 0)
  for (const row of rows.slice(0, 200))
    row.forEach((cell, i) => (sizes[i] = (sizes[i] ?? 0) + cell.length))
  return sizes.indexOf(Math.max(...sizes))
}

/** A line `sep=;` says how a spreadsheet has divided the file. */
const SEP_LINE = /^\s*"?sep=(.)"?[ \t]*(?:\r\n?|\n)/i

/** Reads a .csv file, whose cells may be divided by commas, semicolons or tabs. */
async function readCsv(text: string, name: string): Promise<string[][]> {
  const [line = '', sign] = SEP_LINE.exec(text) ?? []
  const body = text.slice(line.length)
  const given = DELIMITERS.find((delimiter) => delimiter === sign)
  const heads = linesOf(body.slice(0, 100_000))
    .filter((one) => !/^[\s,;]*$/.test(one))
    .slice(0, 2 * HEADING_ROWS)
  const found = DELIMITERS.find(
    (one) => headingRow(heads.map((head) => cellsOf(head, one)).slice(0, HEADING_ROWS)) >= 0,
  )
  const delimiter = given ?? found ?? ','
  const rows = (await readTable(body, { name, delimiter })).filter((row) => !isBlank(row))
  const isTable = given !== undefined || hasHeading(rows) || isRegular(rows)
  // In a single column, a comma is more likely part of the prompt than a separator.
  if (isTable) return rows
  // Below a heading of one column, the separators of empty cells are no part of a prompt.
  const cells = headingRow(rows) < 0 ? rows : rows.map(withoutEmptyEnd)
  return cells.map((row) => [row.join(delimiter)])
}

const withoutEmptyEnd = (row: readonly string[]) =>
  row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1)

/** The cells of a line, without regard to quotation marks. Enough to find a heading. */
const cellsOf = (line: string, delimiter: string) => line.split(delimiter, MOST_COLUMNS)

/** Returns whether there is a heading of several columns. */
function hasHeading(rows: readonly string[][]): boolean {
  const heading = rows[headingRow(rows)] ?? []
  return heading.filter((cell) => cell.trim() !== '').length > 1
}

const COUNTED = /^(?:\d{1,4}|portrait|landscape|\d{1,2}:\d{1,2})$/i

/** Without a heading: equally many cells in every row, and a column of numbers or formats. */
function isRegular(rows: readonly string[][]): boolean {
  const [first = []] = rows
  if (rows.length < 2 || first.length < 2 || rows.some((row) => row.length !== first.length))
    return false
  return first.some((_, i) => rows.every((row) => COUNTED.test((row[i] ?? '').trim())))
}

type Table = { name: string; delimiter: Delimiter; isQuoted?: boolean }

async function readTable(text: string, table: Table): Promise<string[][]> {
  const { name, delimiter, isQuoted = true } = table
  const parser = parse({
    delimiter,
    relax_column_count: true,
    // Allows JSON in an unquoted cell.
    relax_quotes: true,
    skip_empty_lines: true,
    ...(!isQuoted && { quote: false }),
    // Some rows more than the limit and a heading, which is enough to detect too many rows.
    to: MOST_PROMPTS + HEADING_ROWS + 2,
  })
  const read: AsyncIterable<string[]> = Readable.from(pieces(text)).pipe(parser)
  const rows: string[][] = []
  try {
    for await (const row of read) {
      if (row.length > MOST_CELLS)
        throw refusal(`A row of ${name} has more than ${figure(MOST_CELLS)} cells`)
      rows.push(row)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // Only spreadsheets put cells with tabs in quotation marks. Somebody's own marks stay.
    if (delimiter === '\t' && isQuoted) return readTable(text, { ...table, isQuoted: false })
    const line =
      'lines' in error && typeof error.lines === 'number' ? `Line ${error.lines} of ` : ''
    throw refusal(`${line}${name} is not valid CSV: a quotation mark is not closed or stands alone`)
  }
  if (rows.length === MOST_PROMPTS + HEADING_ROWS + 2) throw tooMany(name)
  return rows
}

/** Bytes parsed before the event loop gets a turn. */
const PIECE = 16 * 1024

/** Yields a long text in pieces and lets the event loop run between them. */
async function* pieces(text: string) {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += PIECE) {
    yield bytes.subarray(from, from + PIECE)
    await setImmediate()
  }
}

/** Joins the lines of a cell, because a prompt is one line. */
const oneLine = (cell: string) =>
  cell
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
