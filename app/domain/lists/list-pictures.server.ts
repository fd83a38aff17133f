import { excerpt } from '~/lib/text'
import type { UserCtx } from '../context'
import { listDraftPictures } from '../videos/requests/draft-pictures.server'
import { takesEndPictures } from '../videos/requests/picture-video.server'
import { assignPictures, namesOf, picturesText, type NamedLine } from '../batches/picture-names'
import type { PromptTable } from './prompt-file.server'
import type { ListRow, ListView } from './types'

/** The names of the pictures with which a row begins and ends. */
type RowPictures = Pick<ListRow, 'picture' | 'endPicture'>

/** A table, whose columns of pictures may name some for each row. */
type PicturedTable = {
  table: PromptTable
  /** The names that a row has in its cells. */
  picturesOf: (row: number) => RowPictures
  /** How the columns are used, for the user. */
  notes: string[]
}

/**
 * Finds the pictures that the rows of a table name. If there are no videos from pictures, `isOn` is false:
 * columns of them are like others.
 */
export function picturesIn(table: PromptTable, isOn: boolean): PicturedTable {
  if (!isOn) {
    const columns = table.columns.map((one) =>
      isOfPictures(one) ? { ...one, role: 'other' as const } : one,
    )
    const none = { picture: null, endPicture: null }
    return { table: { ...table, columns }, picturesOf: () => none, notes: [] }
  }
  const first = namesUnder(table, 'picture', 'begins')
  const end = namesUnder(table, 'end', 'ends')
  return {
    table,
    picturesOf: (row) => ({ picture: first.nameOf(row), endPicture: end.nameOf(row) }),
    notes: [...first.notes, ...end.notes],
  }
}

const isOfPictures = ({ role }: PromptTable['columns'][number]) =>
  role === 'picture' || role === 'end'

/** Reads the names in the column of a role. Without such a column there are none. */
function namesUnder(table: PromptTable, role: 'picture' | 'end', does: 'begins' | 'ends') {
  const at = table.columns.findIndex((one) => one.role === role)
  const column = table.columns[at]
  if (column === undefined) return { nameOf: () => null, notes: [] }
  const cells = table.rows.map((row) => (row[at] ?? '').trim())
  return {
    nameOf: (row: number) => cells.slice(row, row + 1).find(isPictureName) ?? null,
    notes: notesOn(column.heading, cells, does),
  }
}

/** Returns whether a cell is the name of a picture. A web address is not. */
const isPictureName = (cell: string): boolean =>
  /^[^\n]{1,120}\.(?:jpe?g|png|webp)$/i.test(cell) && !cell.includes('://')

function notesOn(heading: string, cells: readonly string[], does: 'begins' | 'ends'): string[] {
  const unread = cells.find((cell) => cell !== '' && !isPictureName(cell))
  return [
    ...(cells.some(isPictureName)
      ? [`Each row ${does} with the picture in its "${heading}" cell`]
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
  const known = { names: namesOf(drafts), takesEnds: takesEndPictures(ctx) }
  const assignment = assignPictures(namedRows(rows), known)
  return {
    rows: rows.slice(0, most).map((row, i) => ({
      ...row,
      picture: assignment.pictures[i] ?? null,
      endPicture: assignment.ends[i] ?? null,
    })),
    pictures: hasPictures
      ? { drafts, says: picturesText(assignment), problems: assignment.problems }
      : null,
  }
}

/** Returns rows as lines that name pictures. */
export const namedRows = (rows: readonly ListRow[]): NamedLine[] =>
  rows.map(({ row, picture, endPicture }) => ({ place: `Row ${row + 1}`, picture, endPicture }))
