import sql, { type Sql } from 'sql-template-tag'

/** Formats a timestamp for pages and calls: ISO 8601 in UTC with milliseconds. Null stays null. */
export const isoText = (moment: Sql): Sql =>
  sql`to_char((${moment}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
