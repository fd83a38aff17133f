import { readDay } from '~/lib/day'

/** Where a page continues: time and id of the last or first video of the neighbouring page. */
export type Cursor = { at: string; id: string }

const CURSOR =
  /^(\d{4}-\d\d-\d\d)(T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z)~([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

export const writeCursor = ({ at, id }: Cursor): string => `${at}~${id}`

/** Parses a cursor. Returns null if it is invalid, because addresses may be old or mistyped. */
export function readCursor(text: string | undefined): Cursor | null {
  const [, day = null, time = '', id = ''] = CURSOR.exec(text ?? '') ?? []
  return readDay(day) === null ? null : { at: `${day}${time}`, id }
}
