import sql, { type Sql } from 'sql-template-tag'

/**
 * Not of somebody who lies in the trash: his videos follow him there some at a time (`clearTrashed`),
 * and until then nobody shall meet them. The few who lie there are looked up once a statement, so that
 * beside a list it costs nothing. `owner` is the column with the owner's id.
 */
export const ofLivingOwner = (owner: Sql): Sql =>
  sql`${owner} not in (select id from users where users.deleted_at is not null)`

/** `%`, `_` and the escape sign itself stand for themselves in what somebody searches for. */
export const likePart = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Users whose name holds the text, as a condition on `users`; names are kept in lower case. */
export function ownerNamed(search: string): Sql {
  return search === ''
    ? sql`users.deleted_at is null`
    : sql`users.deleted_at is null and users.username like ${likePart(search.toLowerCase())}`
}
