import sql, { type Sql } from 'sql-template-tag'

/**
 * That no living account is called by one of these forms of a name, as a condition of the statement
 * that makes one. New accounts are all called by the same form, whose index settles races.
 */
export const isNameFree = (forms: readonly string[]): Sql => sql`
  not exists (select 1 from users as namesake
    where namesake.username = any(${[...forms]}::text[]) and namesake.deleted_at is null)`
