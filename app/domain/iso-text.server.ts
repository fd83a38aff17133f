import sql, { type Sql } from 'sql-template-tag'

/** A moment as pages and calls get it: ISO 8601 in UTC, with milliseconds. Null stays null. */
export const isoText = (moment: Sql): Sql =>
  sql`to_char((${moment}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
