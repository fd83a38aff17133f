import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '~/platform/db/port'

/** Longer lists are read in pieces. Only programs ask for them. */
export const WHOLE_ROWS = 500
/** The rows of a piece. Beside five lists of 10,000, a poll waits half as long as with pieces of 500. */
const PIECE_ROWS = 125

type ListRead<Row, Piece> = {
  /** Selects the rows. */
  select: Sql
  /** At most so many. */
  limit: number
  /** Makes what is returned of some of the rows. */
  toPiece: (rows: Row[]) => Piece
}

/**
 * Reads the rows of a list, and returns what is made of them, for a long list of each PIECE_ROWS. All
 * are of one snapshot. Between two pieces the process does other work: ten thousand rows at once keep it for a
 * fifth of a second.
 */
export async function readList<Row extends object, Piece>(
  db: Db,
  { select, limit, toPiece }: ListRead<Row, Piece>,
): Promise<Piece[]> {
  if (limit <= WHOLE_ROWS) return [toPiece(await db.rows<Row>(select))]
  return db.snapshot(async (snapshot) => {
    await snapshot.run(sql`declare list no scroll cursor for ${select}`)
    const pieces: Piece[] = []
    let rows: Row[]
    do {
      rows = await snapshot.rows<Row>(sql`fetch ${raw(String(PIECE_ROWS))} from list`)
      pieces.push(toPiece(rows))
    } while (rows.length === PIECE_ROWS)
    return pieces
  })
}
