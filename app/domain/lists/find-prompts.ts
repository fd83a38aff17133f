import { headingRow, isBlank, MOST_COLUMNS, type Cells, type Sign } from '~/lib/table'
import { linesOf } from '~/lib/text'
import { hasCells } from './pasted-text'
import { PROMPT_HEADINGS, roleOf, type Role } from './prompt-headings'

/** The prompts in the rows of a table. */
export type PromptRows = {
  /** One for each column; '' for a column without a heading. */
  columns: { heading: string; role: Role }[]
  /** The rows with a prompt. There are none if the user has chosen an empty column. */
  rows: Cells[]
  /** The column that contains the prompts. */
  column: number
  /** How many rows stand above the heading. They are no prompts. */
  above: number
}

type Given = {
  rows: readonly Cells[]
  sign: Sign
  chosen?: number | undefined
  hasHeading?: boolean
}

/**
 * Finds the heading of a table and its column of prompts. `chosen` is the column that the user has chosen,
 * which is used if there is one (`isChosen`). `hasHeading` is false where a heading is a line like others.
 */
export function findPrompts({
  rows: all,
  sign,
  chosen,
  hasHeading = true,
}: Given): PromptRows & { isChosen: boolean } {
  const filled = all.filter((row) => !isBlank(row))
  const above = hasHeading ? headingRow(filled, sign, PROMPT_HEADINGS) : -1
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
  return { columns, rows, column, above: Math.max(0, above), isChosen }
}

/**
 * Returns how many prompts the list of a pasted table will have, its heading not counted. Null for a text
 * without cells, and where cells are in quotation marks, which only the server reads.
 */
export function countInTable(text: string): number | null {
  if (!hasCells(text) || text.includes('"')) return null
  const rows = linesOf(text).map((line) => line.split('\t'))
  return findPrompts({ rows, sign: '\t' }).rows.length
}

/** The column that is headed as one of prompts, or else the one with most text. */
function columnOfPrompts(columns: PromptRows['columns'], rows: readonly Cells[]): number {
  const named = columns.findIndex(({ role }) => role === 'prompt')
  if (named >= 0) return named
  const areLikely = columns.some(({ role }) => role === 'likely')
  const sizes = columns.map(() => 0)
  for (const row of rows.slice(0, 200))
    for (const [i, cell] of row.entries())
      if (!areLikely || columns[i]?.role === 'likely') sizes[i] = (sizes[i] ?? 0) + cell.length
  return sizes.indexOf(Math.max(...sizes))
}
