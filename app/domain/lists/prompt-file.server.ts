import { figure } from '~/lib/figures'
import { dividedBy, headingRow, isBlank, type Cells, type Sign } from '~/lib/table'
import { readRows, readTypedRows, StrayMark, type Row } from '~/lib/table.server'
import { linesOf } from '~/lib/text'
import { readTextFile, type Encoding, type TextFile } from '~/lib/text-file.server'
import { hasMoreLines, MOST_LINES } from '~/lib/text-limits'
import { AppError } from '../errors'
import { findPrompts, type PromptRows } from './find-prompts'
import { isHeadingOfColumns, PROMPT_HEADINGS } from './prompt-headings'
import { hasCells, PROMPT_FILE_BYTES, PROMPT_FILE_TOO_LARGE } from './pasted-text'

/** Maximum number of prompts in one file: many times what one batch takes. */
export const MOST_PROMPTS = 5000
/** Some rows more than that and a heading, which is enough to detect too many. */
const MOST_ROWS = MOST_PROMPTS + 10
/** More commas than a prompt has characters. */
const MOST_CELLS = 10_000

/** The cells of a text by row, and what divides them. */
type PromptCells = { rows: string[][]; sign: Sign }

/** Returns the error for a file that cannot be used. */
export const refusal = (text: string) =>
  new AppError('BAD_INPUT', text, { fields: { file: [text] } })

/** Returns the error for a file with more than `MOST_PROMPTS`. */
const tooMany = (name: string) => refusal(`${name} has more than ${figure(MOST_PROMPTS)} prompts`)

/** `column` is the one that the user has chosen. */
export type PromptFile = TextFile & { column?: number | undefined }

/** The rows of a file or a pasted table. */
export type PromptTable = PromptRows & {
  encoding: Encoding
  isDoubtful: boolean
}

const KINDS = /\.(txt|csv|tsv|tab|jsonl|ndjson)$/i

/**
 * Reads a file of prompts: a .txt or .jsonl file (one prompt per line, a JSON object as it is), or a
 * table (.csv, .tsv, and a .txt file that contains one). Throws BAD_INPUT for any other kind of file, for a
 * binary file with one of these names, an empty file, too many prompts, or a malformed table (with
 * its line number). The time taken is linear in the size of the file, and a table is parsed in pieces.
 */
export async function readPromptTable(file: PromptFile): Promise<PromptTable> {
  const { name, column: chosen } = file
  const kind = KINDS.exec(name)?.[1]?.toLowerCase() ?? ''
  const read = readTextFile(file, {
    choose: kind === '' ? 'Choose a .xlsx, .txt, .tsv, .jsonl or .csv file' : null,
    most: PROMPT_FILE_BYTES,
    tooLarge: PROMPT_FILE_TOO_LARGE,
  })
  if ('problem' in read) throw refusal(read.problem)
  const { text, encoding, isDoubtful } = read
  // Cells of a table may have many lines, and a table is read in pieces.
  const isOfLines = !/^(?:csv|tsv|tab)$/.test(kind)
  if (isOfLines && hasMoreLines(text))
    throw refusal(`${name} has more than ${figure(MOST_LINES)} lines`)
  // Excel's "Unicode Text" is a .txt file with the cells of a table.
  const isTable = kind === 'csv' || (kind.startsWith('t') && isCsv(text))
  const hasTabs =
    kind.startsWith('t') && (kind !== 'txt' || hasCells(text) || encoding.startsWith('utf-16'))
  const found = isTable
    ? tableOf(await readCsv(text, name), { name, chosen })
    : hasTabs
      ? tableOf(await readTabs(text, name), { name, chosen })
      : tableOf(linesIn(text), { name, chosen, hasHeading: false })
  return { ...found, encoding, isDoubtful }
}

/** Reads a text for which `isForList` holds. Throws BAD_INPUT like `readPromptTable`. */
export async function readPastedTable(
  text: string,
  chosen?: PromptFile['column'],
): Promise<PromptTable> {
  const name = 'the pasted text'
  const found = hasCells(text)
    ? tableOf(await readTabs(text, name), { name, chosen })
    : tableOf(linesIn(text), { name, chosen, hasHeading: false })
  return { ...found, encoding: 'utf-8', isDoubtful: false }
}

/** Reads the text of a sheet of a workbook. Throws BAD_INPUT like `readPromptTable`. */
export async function readPromptSheet(
  text: string,
  { name, chosen }: Pick<Wanted, 'name' | 'chosen'>,
): Promise<PromptTable> {
  const found = tableOf(await readTabs(text, name), { name, chosen })
  return { ...found, encoding: 'utf-8', isDoubtful: false }
}

/** Returns the prompts of a column, trimmed. Line breaks within a cell stay. */
export const promptsIn = ({ rows, column }: PromptTable): string[] =>
  rows.map((row) =>
    (row[column] ?? '')
      .split(/\r\n?|\n/)
      .map((line) => line.trim())
      .join('\n')
      .trim(),
  )

/** Reads the cells of a spreadsheet: a .tsv file, or pasted ones. Throws BAD_INPUT. */
async function readTabs(text: string, name: string): Promise<PromptCells> {
  // Only spreadsheets put cells with tabs in quotation marks. Somebody's own marks stay.
  const rows = await readTypedRows(text, { sign: '\t', most: MOST_ROWS })
  return { rows: cellsOf(rows, name), sign: '\t' }
}

/**
 * Returns whether a text is a .csv file under another name: it says how it is divided, or begins with
 * the heading of several columns.
 */
function isCsv(text: string): boolean {
  const { sign, isGiven } = dividedBy(text, [isHeadingOfColumns])
  return isGiven || sign !== undefined
}

/**
 * Reads a .csv file, whose cells may be divided by commas, semicolons, tabs or bars. Throws BAD_INPUT
 * for a malformed table, with its line number.
 */
async function readCsv(text: string, name: string): Promise<PromptCells> {
  const { sign = ',', isGiven, body } = dividedBy(text, PROMPT_HEADINGS)
  const rows = (await readTable(body, name, sign)).filter((row) => !isBlank(row))
  const heading = rows[headingRow(rows, sign, PROMPT_HEADINGS)]
  if (isGiven || isWide(heading) || isRegular(rows)) return { rows, sign }
  // In a single column, a comma is more likely part of the prompt than a separator. Below a heading
  // of one column, the separators of empty cells are no part of a prompt.
  const cells = heading === undefined ? rows : rows.map(withoutEmptyEnd)
  return { rows: cells.map((row) => [row.join(sign)]), sign }
}

const withoutEmptyEnd = (row: Cells) =>
  row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1)

/** Whether a heading has several columns. */
const isWide = (heading: Cells = []) => heading.filter((cell) => cell.trim() !== '').length > 1

const COUNTED = /^(?:\d{1,4}|portrait|landscape|\d{1,2}:\d{1,2})$/i

/** Without a heading: equally many cells in every row, and a column of numbers or formats. */
function isRegular(rows: readonly Cells[]): boolean {
  const [first = []] = rows
  if (rows.length < 2 || first.length < 2 || rows.some((row) => row.length !== first.length))
    return false
  return first.some((_, i) => rows.every((row) => COUNTED.test((row[i] ?? '').trim())))
}

async function readTable(text: string, name: string, sign: Sign): Promise<string[][]> {
  try {
    return cellsOf(await readRows(text, { sign, most: MOST_ROWS }), name)
  } catch (error) {
    if (!(error instanceof StrayMark)) throw error
    throw refusal(
      `Line ${error.line} of ${name} is not valid CSV: a quotation mark is not closed or stands alone`,
    )
  }
}

function cellsOf(rows: readonly Row[], name: string): string[][] {
  if (rows.some(({ cells }) => cells.length > MOST_CELLS))
    throw refusal(`A row of ${name} has more than ${figure(MOST_CELLS)} cells`)
  if (rows.length >= MOST_ROWS) throw tooMany(name)
  return rows.map(({ cells }) => cells)
}

const linesIn = (text: string): PromptCells => ({
  rows: linesOf(text).map((line) => [line]),
  sign: ',',
})

/** `hasHeading` is false for a file of lines, in which a heading is a line like the others. */
type Wanted = { name: string; chosen: PromptFile['column']; hasHeading?: boolean }

/** Finds the heading and the column of prompts. Throws BAD_INPUT for no prompts, or too many. */
function tableOf(
  { rows: all, sign }: PromptCells,
  { name, chosen, hasHeading = true }: Wanted,
): PromptRows {
  const { isChosen, ...found } = findPrompts({ rows: all, sign, chosen, hasHeading })
  const { rows } = found
  if (rows.length > MOST_PROMPTS) throw tooMany(name)
  if (rows.length === 0 && !isChosen) throw refusal(`There are no prompts in ${name}`)
  return found
}
