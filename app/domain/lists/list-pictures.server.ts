import { excerpt } from '~/lib/text'
import type { UserCtx } from '../context'
import { listDraftPictures } from '../videos/requests/draft-pictures.server'
import { assignPictures, namesOf, picturesText, type NamedLine } from '../batches/picture-names'
import type { PromptTable } from './prompt-file.server'
import type { ListRow, ListView } from './types'

/** A table, whose column of pictures may name one for each row. */
type PicturedTable = {
  table: PromptTable
  /** The name that a row has in its cell. */
  pictureOf: (row: number) => string | null
  /** How the column is used, for the user. */
  notes: string[]
}

/**
 * Finds the pictures that the rows of a table name. If there are no videos from pictures, `isOn` is false: a
 * column of them is one like others.
 */
export function picturesIn(table: PromptTable, isOn: boolean): PicturedTable {
  const at = table.columns.findIndex(({ role }) => role === 'picture')
  const column = table.columns[at]
  if (!isOn || column === undefined) {
    const columns = table.columns.map((one) =>
      one.role === 'picture' ? { ...one, role: 'other' as const } : one,
    )
    return { table: { ...table, columns }, pictureOf: () => null, notes: [] }
  }
  const cells = table.rows.map((row) => (row[at] ?? '').trim())
  return {
    table,
    pictureOf: (row) => cells.slice(row, row + 1).find(isPictureName) ?? null,
    notes: notesOn(column.heading, cells),
  }
}

/** Returns whether a cell is the name of a picture. A web address is not. */
const isPictureName = (cell: string): boolean =>
  /^[^\n]{1,120}\.(?:jpe?g|png|webp)$/i.test(cell) && !cell.includes('://')

function notesOn(heading: string, cells: readonly string[]): string[] {
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

type Shown = { rows: readonly ListRow[]; most: number; hasPictures: boolean }

/** Returns the first `most` rows, and the pictures with which the videos of all begin. */
export async function viewRows(
  ctx: UserCtx,
  { rows, most, hasPictures }: Shown,
): Promise<Pick<ListView, 'rows' | 'pictures'>> {
  const drafts = hasPictures ? await listDraftPictures(ctx) : []
  const assignment = assignPictures(namedRows(rows), namesOf(drafts))
  return {
    rows: rows
      .slice(0, most)
      .map((row, i) => ({ ...row, picture: assignment.pictures[i] ?? null })),
    pictures: hasPictures
      ? { drafts, says: picturesText(assignment), problems: assignment.problems }
      : null,
  }
}

/** Returns rows as lines that name pictures. */
export const namedRows = (rows: readonly ListRow[]): NamedLine[] =>
  rows.map(({ row, picture }) => ({ place: `Row ${row + 1}`, picture }))
