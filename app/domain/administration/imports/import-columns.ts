import { linesOf } from '~/lib/text'
import { MOST_CELLS, MOST_LINE_CHARACTERS } from '~/lib/text-limits'
import { columnOf, type ColumnName } from '../account-fields'
import { fromCell, splitLine } from '../users/export-format'

/** Signs between columns. The product's own is the pipe; the others are those of spreadsheets. */
const SIGNS = ['|', '\t', ';', ','] as const
type Sign = (typeof SIGNS)[number]

/** How the lines of an import are divided. */
export type Layout = {
  split: (line: string) => string[]
  /** The column of each cell, if a line names them; null for a heading that is not known. */
  columns: (ColumnName | null)[] | null
  /** Headings that are not known, as they are written. */
  unknown: string[]
  /** Returns whether a line is a heading or a title above it, or says how the file is divided. */
  isHeading: (line: string) => boolean
}

/** A heading is looked for in so many lines. */
const HEADING_LINES = 5

/** Returns whether a line is neither data nor a heading. */
export const isSkipped = (line: string): boolean => {
  const text = line.trim()
  return /^[;,\t]*$/.test(text) || text.startsWith('#') || /^"?sep=/i.test(text)
}

/**
 * Finds out how a pasted text is divided into columns. A heading among the first lines names them,
 * in any order. Without one, lines with pipes have our own formats, and a table of a spreadsheet is
 * recognised by equally many cells in every line.
 */
export function layoutOf(text: string): Layout {
  const lines = linesOf(text)
  const data = lines.filter((line) => line.length <= MOST_LINE_CHARACTERS && !isSkipped(line))
  const given = /^"?sep=(.)/i.exec(lines.find((line) => line.trim() !== '')?.trim() ?? '')?.[1]
  const place = data.slice(0, HEADING_LINES).findIndex((line) => headingSign(line) !== undefined)
  const heading = data[place]
  const named = heading === undefined ? undefined : headingSign(heading)
  const sign = named ?? SIGNS.find((one) => one === given) ?? signOf(data)
  const split = (line: string) => (sign === '|' ? splitLine(line) : splitRow(line, sign))
  // Titles of a spreadsheet stand above its heading, in one cell each.
  const above = data.slice(0, Math.max(0, place))
  const firstRow = above.findIndex((line) => sign === '|' || filledIn(split(line)) > 1)
  const titles = firstRow < 0 ? above : above.slice(0, firstRow)
  const cells = heading === undefined ? null : split(heading)
  const columns = cells && asColumns(cells)
  return {
    split,
    columns,
    unknown: cells?.filter((cell, i) => cell !== '' && columns?.[i] === null) ?? [],
    isHeading: (line) =>
      isSkipped(line) ||
      titles.includes(line) ||
      line.trim() === heading?.trim() ||
      OWN_HEADING.test(line.trim()),
  }
}

const filledIn = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length

const OWN_HEADING = /^username\|(?:phone|password)\b/i

/** Returns the sign that divides a line into known headings, at least two, with a username among them. */
function headingSign(line: string): Sign | undefined {
  return SIGNS.find((sign) => {
    const found = splitRow(line, sign).flatMap((cell) => columnOf(cell) ?? [])
    const names = found.some((column) => column === 'username' || column === 'phone')
    return names && new Set(found).size > 1
  })
}

/** A column of phone numbers holds the usernames, unless another one does. A repeated heading counts once. */
function asColumns(cells: readonly string[]): (ColumnName | null)[] {
  const columns = cells.map(columnOf)
  const named = columns.includes('username')
  return columns
    .map((column) => (column === 'phone' && !named ? 'username' : column))
    .map((column, i, all) => (all.indexOf(column) === i ? column : null))
}

function signOf(data: readonly string[]): Sign {
  if (data.some((line) => splitLine(line).length > 1)) return '|'
  const sign = (['\t', ';', ','] as const).find((one) => {
    const counts = new Set(data.map((line) => splitRow(line, one).length))
    const starts = data.every((line) => /^["'=+\s]*\d/.test(line))
    return counts.size === 1 && !counts.has(1) && (one === '\t' || starts)
  })
  return sign ?? '|'
}

/**
 * Splits a line of a spreadsheet's table. A cell in quotation marks may contain the sign. What is beyond so
 * many cells is one.
 */
function splitRow(line: string, sign: Sign): string[] {
  const cells: string[] = []
  let [start, isQuoted] = [0, false]
  for (let i = 0; i < line.length && cells.length < MOST_CELLS; i++) {
    if (line[i] === '"') isQuoted = !isQuoted
    if (line[i] !== sign || isQuoted) continue
    cells.push(line.slice(start, i))
    start = i + 1
  }
  return [...cells, line.slice(start)].map((one) => {
    const inside = /^"(.*)"$/.exec(one.trim())?.[1]
    return fromCell(inside === undefined ? one : inside.replaceAll('""', '"'))
  })
}
