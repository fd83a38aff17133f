import sql, { type Sql } from 'sql-template-tag'
import { normalizeUsername } from '../accounts/names'

/**
 * Not of a user in the trash: the user's videos follow there some at a time (`clearTrashed`), and until
 * then they are hidden. The few such users are looked up once per statement, so that beside a list it
 * costs nothing. `owner` is the column with the owner's id.
 */
export const ofLivingOwner = (owner: Sql): Sql =>
  sql`${owner} not in (select id from users where users.deleted_at is not null)`

/** `%`, `_` and the escape sign itself stand for themselves in what somebody searches for. */
export const likePart = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Users whose name holds the text, as a condition on `users`; names are kept in lower case. */
export function ownerNamed(search: string): Sql {
  if (search === '') return sql`users.deleted_at is null`
  const [typed, stored] = [search.toLowerCase(), normalizeUsername(search)]
  const isLike = sql`users.username like ${likePart(typed)}`
  return typed === stored
    ? sql`users.deleted_at is null and ${isLike}`
    : sql`users.deleted_at is null and (${isLike} or users.username like ${likePart(stored)})`
}
