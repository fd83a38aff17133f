import { linesOf } from './text'

// How a text that people paste or upload is a table: which sign stands between its cells, and which row is
// its heading. Prompts, users and tokens each give the words with which their columns are headed.

/** The signs between the cells of a table, from spreadsheets and from our own export. */
export const SIGNS = [',', ';', '\t', '|'] as const
export type Sign = (typeof SIGNS)[number]

export type Cells = readonly string[]

/** The heading is looked for in so many rows and columns. */
export const HEADING_ROWS = 5
export const MOST_COLUMNS = 1000

/** Returns whether all cells of a row are blank. */
export const isBlank = (cells: Cells): boolean => cells.every((cell) => cell.trim() === '')

/** The longest heading. Longer texts are prompts or notes. */
const LONGEST_HEADING = 100
/** Everything but letters, digits, and what divides cells or is part of a prompt. */
const DROPPED = /[^\p{L}\p{M}\p{N}{}|;,\t]/gu

/** Returns a heading without case, blanks and symbols: `"Phone No.:"` is `phoneno`. */
export const plainHeading = (heading: string): string =>
  heading.length > LONGEST_HEADING
    ? ''
    : heading.normalize('NFC').toLowerCase().replace(DROPPED, '')

/**
 * Makes a function that returns the field which a heading names, or null. Each field has the words of its
 * headings in lower case, apart by bars; blanks in them do not count, and groups and `?` mean what they do in
 * patterns. Of several fields that a heading may name the first one counts.
 */
export function headingReader<Field extends string>(
  fields: readonly (readonly [Field, string])[],
): (heading: string) => Field | null {
  const patterns = fields.map(([field, words]) => {
    const plain = words.normalize('NFC').replace(/\s/g, '')
    return [field, new RegExp(`^(?:${plain})$`, 'u')] as const
  })
  return (heading) => {
    const plain = plainHeading(heading)
    return patterns.find(([, pattern]) => plain !== '' && pattern.test(plain))?.[0] ?? null
  }
}

/** Tells a heading from other rows. Of several such tests an earlier one is surer. */
export type HeadingTest = (cells: Cells, sign: Sign) => boolean

/** Returns which of the first rows is the heading, or -1. */
export function headingRow(
  rows: readonly Cells[],
  sign: Sign,
  tests: readonly HeadingTest[],
): number {
  const first = rows.slice(0, HEADING_ROWS).map((row) => row.slice(0, MOST_COLUMNS))
  for (const test of tests) {
    const at = first.findIndex((row) => test(row, sign))
    if (at >= 0) return at
  }
  return -1
}

/** The first line of a file may say how a spreadsheet has divided it. */
const SEP_LINE = /^(\s*)"?sep=(.)"?[ \t]*(?=[\r\n]|$)/i
/** So much of a text is looked through for its heading. */
const HEAD_CHARACTERS = 100_000

/**
 * Returns how the cells of a text are divided: as its line `sep=;` says (`isGiven`), or as its heading shows.
 * `body` is the text with a blank line in place of that one. `without` are lines that are no rows.
 */
export function dividedBy(
  text: string,
  tests: readonly HeadingTest[],
  without: (line: string) => boolean = () => false,
): { sign: Sign | undefined; isGiven: boolean; body: string } {
  const [line = '', before = '', named] = SEP_LINE.exec(text) ?? []
  const given = SIGNS.find((sign) => sign === named)
  const body = before + text.slice(line.length)
  const head = linesOf(body.slice(0, HEAD_CHARACTERS))
    .filter((one) => !/^[\s,;|]*$/.test(one) && !without(one))
    .slice(0, HEADING_ROWS)
  // Without regard to quotation marks, which is enough to find a heading.
  const rowsBy = (sign: Sign) => head.map((one) => one.split(sign, MOST_COLUMNS))
  const found = SIGNS.find((sign) => headingRow(rowsBy(sign), sign, tests) >= 0)
  return { sign: given ?? found, isGiven: given !== undefined, body }
}
