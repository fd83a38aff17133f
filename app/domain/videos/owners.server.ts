import sql, { type Sql } from 'sql-template-tag'
import { normalizeUsername } from '../accounts/names'

/**
 * Builds the condition that the owner is not in the trash. A trashed user's videos are moved to the
 * trash in steps (`clearTrashed`) and are hidden until then. The few such users are looked up once
 * per statement, so the cost is negligible even for a list. `owner` is the column with the owner's
 * id.
 */
export const ownerNotInTrash = (owner: Sql): Sql =>
  sql`${owner} not in (select id from users where users.deleted_at is not null)`

/** Builds a LIKE pattern for a substring search, with `%`, `_` and the escape character escaped. */
export const likePart = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Builds a condition on `users`: not in the trash, and the name contains the text. Names are stored
 * in lower case.
 */
export function ownerNamed(search: string): Sql {
  if (search === '') return sql`users.deleted_at is null`
  const [typed, stored] = [search.toLowerCase(), normalizeUsername(search)]
  const isLike = sql`users.username like ${likePart(typed)}`
  return typed === stored
    ? sql`users.deleted_at is null and ${isLike}`
    : sql`users.deleted_at is null and (${isLike} or users.username like ${likePart(stored)})`
}
