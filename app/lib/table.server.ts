import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse, type Options } from 'csv-parse'
import { parse as parseNow } from 'csv-parse/sync'
import type { Sign } from './table'
import { linesOf } from './text'

/** A row of a table, and which lines of the text it takes, from 1. A cell in quotation marks may have several. */
export type Row = { cells: string[]; line: number; lines: number }

/**
 * Reading stops after `most` rows. A line that begins with `comment` is none. `isOfRecords`: a cell of several
 * lines that two stray marks have made is not taken for one.
 */
type Reading = { sign: Sign; most: number; comment?: string; isOfRecords?: boolean }

/** A quotation mark that is not closed or stands alone, in a row that begins at `line`. */
export class StrayMark extends Error {
  constructor(readonly line: number) {
    super(`Line ${line}: a quotation mark is not closed or stands alone`)
  }
}

const optionsOf = ({ sign, most, comment }: Reading): Options => ({
  delimiter: sign,
  relax_column_count: true,
  // Allows JSON in an unquoted cell.
  relax_quotes: true,
  skip_empty_lines: true,
  to: most,
  ...(comment !== undefined && { comment, comment_no_infix: true }),
})

/**
 * Reads the rows of a table without its blank lines. The time taken is linear in the size of the text, and
 * other work runs in between. Throws `StrayMark`.
 */
export async function readRows(text: string, reading: Reading): Promise<Row[]> {
  // Files may mix line ends of several kinds.
  const lines = linesOf(text)
  const rows: Row[] = []
  const parser = parse({
    ...optionsOf(reading),
    // An error would take the rows with it that the stream has not handed over.
    on_record: (cells: string[], { lines: end }) => {
      const taken = cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 1)
      rows.push({ cells, line: end - taken + 1, lines: taken })
      return null
    },
  })
  try {
    Readable.from(pieces(lines.join('\n')))
      .pipe(parser)
      .resume()
    await finished(parser)
    return rows
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const last = rows.at(-1)
    const end = last ? last.line + last.lines - 1 : 0
    throw new StrayMark(lines.findIndex((line, i) => i >= end && line !== '') + 1)
  }
}

/**
 * The same for texts that people have also typed. If a mark is stray, every line is a row, and such a line is
 * divided as it stands.
 */
export async function readTypedRows(text: string, reading: Reading): Promise<Row[]> {
  const lines = linesOf(text)
  const rows = await readRows(text, reading).catch((error: unknown) => {
    if (error instanceof StrayMark) return null
    throw error
  })
  const isWhole = !reading.isOfRecords || !rows?.some((row) => isTorn(row, lines))
  if (rows && isWhole) return rows
  return lines
    .slice(0, reading.most)
    .flatMap((line, i) =>
      readLine(line, optionsOf(reading)).map((cells) => ({ cells, line: i + 1, lines: 1 })),
    )
}

/** Whether two stray marks have made one cell of several lines, which no spreadsheet has written. */
const isTorn = ({ cells, line, lines: taken }: Row, lines: readonly string[]) =>
  cells.some(
    (cell) =>
      /^".*\n/.test(cell) &&
      !lines
        .slice(line - 1, line - 1 + taken)
        .join('\n')
        .includes(`"${cell.replaceAll('"', '""')}"`),
  )

function readLine(line: string, options: Options): string[][] {
  try {
    return parseNow(line, options)
  } catch {
    return parseNow(line, { ...options, quote: null })
  }
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
