import { CsvError, parse } from 'csv-parse/sync'
import { AppError } from '../errors'

export const PROMPT_FILE_BYTES = 900 * 1024

export type PromptFile = { name: string; bytes: Uint8Array }

const DELIMITERS = [',', ';', '\t'] as const
const PROMPT_HEADING = /^prompts?$/i

/**
 * The prompts of a .txt file (one a line) or a .csv file (the column headed "prompt"; without such a
 * heading every row is one prompt). Throws BAD_INPUT for another kind of file, also under a name of
 * these, an empty one, or a table that cannot be read, naming the line.
 */
export function readPromptFile({ name, bytes }: PromptFile): string[] {
  const kind = /\.(txt|csv)$/i.exec(name)?.[1]?.toLowerCase()
  if (kind === undefined) throw refusal('Choose a .txt or .csv file')
  if (bytes.length > PROMPT_FILE_BYTES) throw refusal('The file is larger than 900 kB')
  const text = decode(bytes)
  if (NOT_TEXT.test(text)) throw refusal(`${name} is not a text file`)
  const prompts = kind === 'csv' ? readTable(text, name) : text.split(/\r\n|\r|\n/)
  const found = prompts.map((prompt) => prompt.trim()).filter((prompt) => prompt !== '')
  if (found.length === 0) throw refusal(`There are no prompts in ${name}`)
  return found
}

const refusal = (text: string) => new AppError('BAD_INPUT', text, { fields: { file: [text] } })

/** What no text holds: signs of control other than those that part words and lines, and broken ones. */
const NOT_TEXT = /[^\P{Cc}\s\u0085]|\uFFFD/u

/** UTF-8, or what spreadsheet programs write instead: UTF-16 with its mark, else Windows' Latin. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function readTable(text: string, name: string): string[] {
  const [heading = ''] = text.split(/\r\n|\r|\n/, 1)
  const isHeading = (cell: string) => PROMPT_HEADING.test(cell.trim().replaceAll('"', ''))
  const delimiter = DELIMITERS.find((sign) => heading.split(sign).some(isHeading)) ?? ','
  const rows = readRows(text, { delimiter, name })
  const [first = [], ...others] = rows
  const column = first.findIndex(isHeading)
  const isTable = column >= 0 && first.length > 1
  if (isTable) return others.map((row) => oneLine(row[column] ?? ''))
  // In a single column a comma is more likely the prompt's own than a border between cells.
  return (column >= 0 ? others : rows).map((row) => oneLine(row.join(delimiter)))
}

function readRows(text: string, { delimiter, name }: { delimiter: string; name: string }) {
  try {
    const rows: string[][] = parse(text, {
      delimiter,
      relax_column_count: true,
      // JSON in a cell without quotation marks around it.
      relax_quotes: true,
      skip_empty_lines: true,
    })
    return rows
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line =
      'lines' in error && typeof error.lines === 'number' ? `Line ${error.lines} of ` : ''
    throw refusal(`${line}${name} is no valid CSV: a quotation mark is not closed or stands alone`)
  }
}

/** A cell may hold several lines; a prompt is one. */
const oneLine = (cell: string) => cell.replace(/\s*[\r\n]+\s*/g, ' ')
