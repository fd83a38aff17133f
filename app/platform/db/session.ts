/**
 * The settings of a session that decide how values are written and read. They are made on
 * connecting, because the defaults of a database or a role may be others: `alter role … set
 * datestyle to 'German'` is enough for dates that nobody can read.
 */
export const SESSION: Readonly<Record<string, string>> = {
  // Prisma's adapter reads and writes timestamps without a time zone offset.
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  // Where PostgreSQL's own defaults put the tables: the schema of the user's name, else public.
  search_path: '"$user", public',
}
