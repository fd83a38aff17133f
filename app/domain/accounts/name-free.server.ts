import sql, { type Sql } from 'sql-template-tag'

/**
 * Builds a condition for the statement that creates an account: no existing account has one of
 * these forms of the name. All new accounts use the same form, whose unique index resolves races.
 */
export const isNameFree = (forms: readonly string[]): Sql => sql`
  not exists (select 1 from users as namesake
    where namesake.username = any(${[...forms]}::text[]) and namesake.deleted_at is null)`
