import sql, { join, type Sql } from 'sql-template-tag'
import { nameForms } from '../names/name-forms.server'
import type { Settings } from '../context'

/** The settings that decide which spellings of a number are the same. */
export type Spelling = Pick<Settings, 'phoneCountries'>

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
 * Builds a condition on `users`: not in the trash, and the name contains the text, or the number in
 * another spelling. Names are stored in lower case.
 */
export function ownerNamed(search: string, { phoneCountries }: Spelling): Sql {
  if (search === '') return sql`users.deleted_at is null`
  const patterns = nameForms(search, phoneCountries).forms.map(likePart)
  const isLike = join(
    patterns.map((pattern) => sql`users.username like ${pattern}`),
    ' or ',
  )
  return sql`users.deleted_at is null and (${isLike})`
}
