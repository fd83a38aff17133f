import type { UserCtx } from '../context'
import { listDraftPictures } from '../videos/requests/draft-pictures.server'
import { assignPictures, picturesText, splitPictures, type NamedLine } from './picture-names'
import type { ListRow, ListView } from './types'

/** A row of a list with the names of pictures that it has. */
export type OpenRow = Omit<ListRow, 'picture'> & { names: readonly string[] }

type Shown = { rows: readonly OpenRow[]; most: number; hasPictures: boolean }

/** Returns the first `most` rows, and the pictures with which the videos of all begin. */
export async function viewRows(
  ctx: UserCtx,
  { rows, most, hasPictures }: Shown,
): Promise<Pick<ListView, 'rows' | 'pictures'>> {
  const drafts = hasPictures ? await listDraftPictures(ctx) : []
  const assignment = assignPictures(
    namedRows(rows),
    drafts.map(({ name }) => name),
  )
  return {
    rows: rows.slice(0, most).map(({ row, prompt, marks, own }, i) => ({
      row,
      prompt,
      marks,
      own,
      picture: assignment.pictures[i] ?? null,
    })),
    pictures: hasPictures
      ? { drafts, says: picturesText(assignment), problems: assignment.problems }
      : null,
  }
}

/** Returns rows as lines that name pictures. */
export const namedRows = (rows: readonly OpenRow[]): NamedLine[] =>
  rows.map(({ row, prompt, names }) => ({
    ...splitPictures(prompt),
    place: `Row ${row + 1}`,
    names,
  }))
