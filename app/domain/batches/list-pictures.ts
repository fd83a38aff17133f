import { excerpt } from '~/lib/text'
import { isPictureName, splitPictures } from './picture-names'
import type { Role } from './prompt-headings'

type Table = { columns: { heading: string; role: Role }[]; rows: string[][]; column: number }

/** A table whose prompts name their pictures. */
export type PicturedTable<T extends Table> = {
  /** Without the names in the prompts. */
  table: T
  /** The names that a row has, in its prompt or in its cell of a column of pictures. */
  namesOf: (row: number) => readonly string[]
  /** How such a column is used, for the user. */
  notes: string[]
}

/**
 * Finds the pictures that the rows of a table name. If there are no videos from pictures, `isOn` is false: a
 * column of them is one like others.
 */
export function picturesIn<T extends Table>(table: T, isOn: boolean): PicturedTable<T> {
  const { columns, rows, column } = table
  if (!isOn) {
    const plain = columns.map((one) =>
      one.role === 'picture' ? { ...one, role: 'other' as const } : one,
    )
    return { table: { ...table, columns: plain }, namesOf: () => [], notes: [] }
  }
  const at = columns.findIndex(({ role }) => role === 'picture')
  const split = rows.map((row) => splitPictures(row[column] ?? ''))
  const cellOf = (row: number) => (at < 0 ? '' : (rows[row]?.[at] ?? '').trim())
  const texts = rows.map((row, i) =>
    // Without a prompt the row stays as it is, and is refused when it is started.
    row.map((cell, j) => (j === column ? textOr(split[i]?.text, cell) : cell)),
  )
  return {
    table: { ...table, rows: texts },
    namesOf: (row) => {
      const cell = cellOf(row)
      return [...(split[row]?.names ?? []), ...(isPictureName(cell) ? [cell] : [])]
    },
    notes: notesOn(
      columns[at]?.heading,
      rows.map((_, row) => cellOf(row)),
    ),
  }
}

const textOr = (text: string | undefined, cell: string) =>
  text === undefined || text === '' ? cell : text

function notesOn(heading: string | undefined, cells: readonly string[]): string[] {
  if (heading === undefined) return []
  const unread = cells.find((cell) => cell !== '' && !isPictureName(cell))
  return [
    ...(cells.some(isPictureName)
      ? [`Each row begins with the picture in its "${heading}" cell`]
      : []),
    ...(unread === undefined
      ? []
      : [`"${excerpt(unread, 60)}" in the column "${heading}" is not the name of a picture`]),
  ]
}
