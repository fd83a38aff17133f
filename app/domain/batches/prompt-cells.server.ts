import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { figure } from '~/lib/figures'
import { linesOf } from '~/lib/text'
import { AppError } from '../errors'
import { HEADING_ROWS, headingRow, isHeadingOfColumns, MOST_COLUMNS } from './prompt-headings'

/** Maximum number of prompts in one file: many times what one batch takes. */
export const MOST_PROMPTS = 5000

/** The cells of a text by row, and whether commas divide them, which prompts contain. */
export type Cells = { rows: string[][]; isDividedByCommas: boolean }

const DELIMITERS = [',', ';', '\t', '|'] as const
type Delimiter = (typeof DELIMITERS)[number]
/** More commas than a prompt has characters. */
const MOST_CELLS = 10_000

/** Returns the error for a file that cannot be used. */
export const refusal = (text: string) =>
  new AppError('BAD_INPUT', text, { fields: { file: [text] } })

/** Returns the error for a file with more than `MOST_PROMPTS`. */
export const tooMany = (name: string) =>
  refusal(`${name} has more than ${figure(MOST_PROMPTS)} prompts`)

/** Returns whether all cells of a row are blank. */
export const isBlank = (row: readonly string[]) => row.every((cell) => cell.trim() === '')

/** Reads the cells of a spreadsheet: a .tsv file, or pasted ones. Throws BAD_INPUT. */
export async function readTabs(text: string, name: string): Promise<Cells> {
  return { rows: await readTable(text, { name, delimiter: '\t' }), isDividedByCommas: false }
}

/** A line `sep=;` says how a spreadsheet has divided the file. */
const SEP_LINE = /^\s*"?sep=(.)"?[ \t]*(?:\r\n?|\n)/i

/**
 * Returns whether a file of lines is a .csv file under another name: it begins with `sep=`, or with the
 * heading of several columns.
 */
export function isCsv(text: string): boolean {
  const first = linesOf(text.slice(0, 100_000)).find((line) => !EMPTY_LINE.test(line)) ?? ''
  // Tabs are divided by `readTabs`.
  const signs = DELIMITERS.filter((one) => one !== '\t')
  return SEP_LINE.test(text) || signs.some((one) => isHeadingOfColumns(cellsOf(first, one)))
}

const EMPTY_LINE = /^[\s,;|]*$/

/**
 * Reads a .csv file, whose cells may be divided by commas, semicolons, tabs or bars. Throws BAD_INPUT
 * for a malformed table, with its line number.
 */
export async function readCsv(text: string, name: string): Promise<Cells> {
  const [line = '', sign] = SEP_LINE.exec(text) ?? []
  const body = text.slice(line.length)
  const given = DELIMITERS.find((delimiter) => delimiter === sign)
  const heads = linesOf(body.slice(0, 100_000))
    .filter((one) => !EMPTY_LINE.test(one))
    .slice(0, 2 * HEADING_ROWS)
  const found = DELIMITERS.find((one) => {
    const rows = heads.map((head) => cellsOf(head, one))
    return headingRow(rows.slice(0, HEADING_ROWS), one === ',') >= 0
  })
  const delimiter = given ?? found ?? ','
  const isDividedByCommas = delimiter === ','
  const rows = (await readTable(body, { name, delimiter })).filter((row) => !isBlank(row))
  const heading = rows[headingRow(rows, isDividedByCommas)]
  const isTable = given !== undefined || isWide(heading) || isRegular(rows)
  if (isTable) return { rows, isDividedByCommas }
  // In a single column, a comma is more likely part of the prompt than a separator. Below a heading
  // of one column, the separators of empty cells are no part of a prompt.
  const cells = heading === undefined ? rows : rows.map(withoutEmptyEnd)
  return { rows: cells.map((row) => [row.join(delimiter)]), isDividedByCommas }
}

const withoutEmptyEnd = (row: readonly string[]) =>
  row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1)

/** The cells of a line, without regard to quotation marks. Enough to find a heading. */
const cellsOf = (line: string, delimiter: string) => line.split(delimiter, MOST_COLUMNS)

/** Whether a heading has several columns. */
const isWide = (heading: readonly string[] = []) =>
  heading.filter((cell) => cell.trim() !== '').length > 1

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
