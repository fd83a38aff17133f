import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'

/**
 * Locks the galleries of users whose videos a transaction is about to change. To avoid deadlocks,
 * all transactions that change videos take their locks in one order: users, galleries, batches,
 * then line entries, videos and quota, and the users' turns last (see
 * docs/decisions/0013-lock-order.md).
 */
export async function lockGalleries(tx: Tx, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  await tx.run(sql`
    select 1 from galleries where user_id = any(${[...userIds]}::uuid[]) order by user_id for update`)
}

/**
 * Like `lockGalleries`, for the owners of the videos that match `which`. Returns the owners' ids.
 */
export async function lockOwners(tx: Tx, which: Sql): Promise<string[]> {
  return lockUsersOf(tx, sql`select videos.user_id from videos where ${which}`)
}

/** Like `lockOwners`, and for one more user, given as an SQL expression. */
export async function lockOwnersAnd(tx: Tx, which: Sql, also: Sql): Promise<string[]> {
  return lockUsersOf(
    tx,
    sql`select videos.user_id from videos where ${which} union all select ${also}`,
  )
}

async function lockUsersOf(tx: Tx, users: Sql): Promise<string[]> {
  const rows = await tx.rows<{ userId: string }>(sql`
    select user_id as "userId" from galleries where user_id in (${users}) order by user_id for update`)
  return rows.map(({ userId }) => userId)
}
