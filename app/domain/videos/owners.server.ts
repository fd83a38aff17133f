import sql, { type Sql } from 'sql-template-tag'

/** `%`, `_` and the escape sign itself stand for themselves in what somebody searches for. */
export const likePart = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Users whose name holds the text, as a condition on `users`; names are kept in lower case. */
export function ownerNamed(search: string): Sql {
  return search === ''
    ? sql`users.deleted_at is null`
    : sql`users.deleted_at is null and users.username like ${likePart(search.toLowerCase())}`
}
