import { decodeText, type Encoding } from '~/lib/decode-text.server'
import { figure } from '~/lib/figures'
import { linesOf } from '~/lib/text'
import { hasMoreLines, MOST_LINES } from '~/lib/text-limits'
import {
  isBlank,
  isCsv,
  MOST_PROMPTS,
  readCsv,
  readTabs,
  refusal,
  tooMany,
  type Cells,
} from './prompt-cells.server'
import { PROMPT_FILE_BYTES, PROMPT_FILE_TOO_LARGE } from './prompt-file-limits'
import { headingRow, MOST_COLUMNS, roleOf, type Role } from './prompt-headings'
import { hasCells } from './pasted-text'

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

const KINDS = /\.(txt|csv|tsv|tab|jsonl|ndjson)$/i
const WORKBOOKS = /\.(?:xlsx?|xlsm|xlsb|ods|numbers)$/i
const SAVE_AS_CSV =
  'This is a workbook. Save it as CSV first: in Excel with File, Save As, CSV UTF-8; in Google Sheets with File, Download, CSV'

/**
 * Reads a file of prompts: a .txt or .jsonl file (one prompt per line, a JSON object as it is), or a
 * table (.csv, .tsv, and a .txt file that contains one). Throws BAD_INPUT for any other kind of file, for a
 * binary file with one of these names, an empty file, too many prompts, or a malformed table (with
 * its line number). The time taken is linear in the size of the file, and a table is parsed in pieces.
 */
export async function readPromptTable(file: PromptFile): Promise<PromptTable> {
  const { name, bytes, column: chosen } = file
  if (WORKBOOKS.test(name)) throw refusal(SAVE_AS_CSV)
  const kind = KINDS.exec(name)?.[1]?.toLowerCase()
  if (kind === undefined) throw refusal('Choose a .txt, .jsonl or .csv file, or a .tsv file')
  if (bytes.length > PROMPT_FILE_BYTES) throw refusal(PROMPT_FILE_TOO_LARGE)
  const { text: decoded, encoding, isDoubtful } = decodeText(bytes, file.encoding)
  // Cells of a table may have many lines, and a table is read in pieces.
  const isOfLines = !/^(?:csv|tsv|tab)$/.test(kind)
  if (isOfLines && hasMoreLines(decoded))
    throw refusal(`${name} has more than ${figure(MOST_LINES)} lines`)
  const text = decoded.replace(/^\uFEFF/, '')
  // A wrong choice must not look like a wrong file.
  if (BINARY.test(text) || (!isDoubtful && NOT_TEXT.test(text)))
    throw refusal(`${name} is not a text file`)
  // Excel's "Unicode Text" is a .txt file with the cells of a table.
  const isTable = kind === 'csv' || (kind === 'txt' && isCsv(text))
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

/** Returns the prompts of a column, trimmed. Line breaks within a cell stay. */
export const promptsIn = ({ rows, column }: PromptTable): string[] =>
  rows.map((row) =>
    (row[column] ?? '')
      .split(/\r\n?|\n/)
      .map((line) => line.trim())
      .join('\n')
      .trim(),
  )

/** Characters that no text file contains: control characters other than white space, and U+FFFD. */
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/
const NOT_TEXT = /[^\P{Cc}\s\u0085]|\uFFFD/u

const linesIn = (text: string): Cells => ({
  rows: linesOf(text).map((line) => [line]),
  isDividedByCommas: false,
})

/** `hasHeading` is false for a file of lines, in which a heading is a line like the others. */
type Wanted = { name: string; chosen: PromptFile['column']; hasHeading?: boolean }

/** Finds the heading and the column of prompts. Throws BAD_INPUT for no prompts, or too many. */
function tableOf(
  { rows: all, isDividedByCommas }: Cells,
  { name, chosen, hasHeading = true }: Wanted,
): Pick<PromptTable, 'columns' | 'rows' | 'column' | 'above'> {
  const filled = all.filter((row) => !isBlank(row))
  const above = hasHeading ? headingRow(filled, isDividedByCommas) : -1
  const headings = filled[above] ?? []
  const body = filled.slice(above + 1)
  const width = body.reduce((most, row) => Math.max(most, row.length), headings.length)
  const columns = Array.from({ length: Math.min(width, MOST_COLUMNS) }, (_, i) => {
    const heading = (headings[i] ?? '').replace(/\s+/g, ' ').trim()
    return { heading, role: above < 0 ? ('other' as const) : roleOf(heading) }
  })
  const isChosen = chosen !== undefined && chosen < columns.length
  const column = isChosen ? chosen : columnOfPrompts(columns, body)
  const rows = body.filter((row) => (row[column] ?? '').trim() !== '')
  if (rows.length > MOST_PROMPTS) throw tooMany(name)
  if (rows.length === 0 && !isChosen) throw refusal(`There are no prompts in ${name}`)
  return { columns, rows, column, above: Math.max(0, above) }
}

/** The column that is headed as one of prompts, or else the one with most text. */
function columnOfPrompts(
  columns: PromptTable['columns'],
  rows: readonly (readonly string[])[],
): number {
  const named = columns.findIndex(({ role }) => role === 'prompt')
  if (named >= 0) return named
  const areLikely = columns.some(({ role }) => role === 'likely')
  const sizes = columns.map(() => 0)
  for (const row of rows.slice(0, 200))
    for (const [i, cell] of row.entries())
      if (!areLikely || columns[i]?.role === 'likely') sizes[i] = (sizes[i] ?? 0) + cell.length
  return sizes.indexOf(Math.max(...sizes))
}
