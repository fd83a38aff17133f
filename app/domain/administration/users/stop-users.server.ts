import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Queue } from '~/platform/queue/port'
import { endApiKeysOf } from '../../accounts/api-keys.server'
import { endSessionsOfAll } from '../../accounts/sessions.server'
import { endUnsentWork } from '../../batches/end-unsent-work.server'

/**
 * Locks users so that they cannot have new work accepted until the transaction ends. Accepting
 * takes a key share lock on the row, which conflicts with this lock.
 */
export async function lockUsers(tx: Tx, which: Sql): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id from users where deleted_at is null and ${which} order by id for update`)
  return rows.map(({ id }) => id)
}

/**
 * Locks users of whom a payment may be recorded, together with those who invited them: a first payment gives
 * both a reward, and locks are taken in one order.
 */
export const lockPayers = (tx: Tx, which: Sql): Promise<string[]> =>
  lockUsers(
    tx,
    sql`(${which} or id in (select inviter_id from referrals
      where state = 'waiting' and invited_id in (select id from users where ${which})))`,
  )

/**
 * Stops disabled users immediately: ends their sessions, and cancels the unsent work of those who
 * have any, in the same transaction.
 */
export async function stopUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  await endSessionsOfAll(tx, userIds)
  const working = await tx.rows<{ id: string }>(sql`
    select user_id as id from line_entries where user_id = any(${userIds}::uuid[])
    union
    select user_id from batches where status = 'processing' and user_id = any(${userIds}::uuid[])
    order by id`)
  for (const { id } of working) await endUnsentWork(tx, id)
}

/**
 * Moves the users that match `which` to the trash and stops them. Their API keys end for good. Their videos follow in steps, by
 * a job added in the same transaction (`clearTrashed`). Returns the users.
 */
export async function trashUsers(
  tx: Tx,
  queue: Queue,
  which: Sql,
): Promise<{ id: string; username: string }[]> {
  const ids = await lockUsers(tx, which)
  if (ids.length === 0) return []
  await stopUsers(tx, ids)
  await endApiKeysOf(tx, ids)
  // Users are marked before their videos, so videos deleted no earlier than the user belong to this
  // deletion.
  const gone = await tx.rows<{ id: string; username: string }>(sql`
    update users set deleted_at = engine_now() where id = any(${ids}::uuid[]) returning id, username`)
  await queue.add(tx, [{ name: 'users.clear', payload: {} }])
  return gone
}
