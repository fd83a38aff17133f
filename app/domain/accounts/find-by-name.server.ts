import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { provenColumns } from './columns.server'
import type { ProvenAccount } from './types'

/**
 * Returns the existing account with the first matching form of a name. SQL, because a flood of
 * refused sign-ins runs it each time.
 */
export function findByName(db: Executor, forms: readonly string[]) {
  return db.row<ProvenAccount & { passwordHash: string | null }>(sql`
    select ${provenColumns}, users.password_hash as "passwordHash" from users
    where username = any(${[...forms]}::text[]) and deleted_at is null
    order by array_position(${[...forms]}::text[], username) limit 1`)
}
