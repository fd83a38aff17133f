import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { figure } from '~/lib/figures'
import { linesOf } from '~/lib/text'
import { AppError } from '../errors'
import { PROMPT_FILE_BYTES, PROMPT_FILE_TOO_LARGE } from './prompt-file-limits'

/** Maximum number of prompts in one file: many times what one batch takes. */
const MOST_PROMPTS = 5000

export type PromptFile = { name: string; bytes: Uint8Array }

const DELIMITERS = [',', ';', '\t'] as const
/** The heading is looked for in so many columns. */
const MOST_COLUMNS = 1000
/** More commas than a prompt has characters. */
const MOST_CELLS = 10_000
const PROMPT_HEADING = /^prompts?$/i

/**
 * Returns the prompts of a .txt or .jsonl file (one per line, a JSON object as it is) or a .csv file
 * (the column headed "prompt"; without that heading, each row is one prompt). Throws BAD_INPUT for any other kind of file, for a
 * binary file with one of these names, an empty file, too many prompts, or a malformed table (with
 * its line number). The time taken is linear in the size of the file, and a table is parsed in
 * pieces.
 */
export async function readPromptFile({ name, bytes }: PromptFile): Promise<string[]> {
  const kind = /\.(txt|csv|jsonl|ndjson)$/i.exec(name)?.[1]?.toLowerCase()
  if (kind === undefined) throw refusal('Choose a .txt, .jsonl or .csv file')
  if (bytes.length > PROMPT_FILE_BYTES) throw refusal(PROMPT_FILE_TOO_LARGE)
  const text = decode(bytes)
  if (NOT_TEXT.test(text)) throw refusal(`${name} is not a text file`)
  const prompts = kind === 'csv' ? await readTable(text, name) : linesOf(text)
  const found: string[] = []
  for (const prompt of prompts) {
    const text = prompt.trim()
    if (text !== '') found.push(text)
    if (found.length > MOST_PROMPTS) throw tooMany(name)
  }
  if (found.length === 0) throw refusal(`There are no prompts in ${name}`)
  return found
}

const refusal = (text: string) => new AppError('BAD_INPUT', text, { fields: { file: [text] } })

const tooMany = (name: string) => refusal(`${name} has more than ${figure(MOST_PROMPTS)} prompts`)

/** Characters that no text file contains: control characters other than white space, and U+FFFD. */
const NOT_TEXT = /[^\P{Cc}\s\u0085]|\uFFFD/u

/**
 * Decodes UTF-8 or what spreadsheet programs write instead: UTF-16 with a byte order mark, or
 * Windows-1252.
 */
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

const headingAt = (cells: readonly string[]): number =>
  cells
    .slice(0, MOST_COLUMNS)
    .findIndex((cell) => PROMPT_HEADING.test(cell.trim().replaceAll('"', '')))

async function readTable(text: string, name: string): Promise<string[]> {
  const [heading = ''] = text.split(/\r\n|\r|\n/, 1)
  const delimiter =
    DELIMITERS.find((sign) => headingAt(heading.split(sign, MOST_COLUMNS)) >= 0) ?? ','
  const rows = await readRows(text, { delimiter, name })
  const [first = [], ...others] = rows
  const column = headingAt(first)
  const isTable = column >= 0 && first.length > 1
  if (isTable) return others.map((row) => oneLine(row[column] ?? ''))
  // In a single column, a comma is more likely part of the prompt than a separator.
  return (column >= 0 ? others : rows).map((row) => oneLine(row.join(delimiter)))
}

type Table = { delimiter: string; name: string }

async function readRows(text: string, { delimiter, name }: Table): Promise<string[][]> {
  const parser = parse({
    delimiter,
    relax_column_count: true,
    // Allows JSON in an unquoted cell.
    relax_quotes: true,
    skip_empty_lines: true,
    // Reads one row more than the limit and a heading, which is enough to detect too many rows.
    to: MOST_PROMPTS + 2,
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
    const line =
      'lines' in error && typeof error.lines === 'number' ? `Line ${error.lines} of ` : ''
    throw refusal(`${line}${name} is not valid CSV: a quotation mark is not closed or stands alone`)
  }
  if (rows.length === MOST_PROMPTS + 2) throw tooMany(name)
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
