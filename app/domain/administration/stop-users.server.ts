import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Queue } from '~/platform/queue/port'
import { endSessionsOf } from '../accounts/sessions.server'
import { endUnsentWork } from '../batches/end-unsent-work.server'

/**
 * Locks users against accepting anything new until the transaction ends: accepting holds a key share
 * of the row, which this waits for.
 */
export async function lockUsers(tx: Tx, which: Sql): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id from users where deleted_at is null and ${which} order by id for update`)
  return rows.map(({ id }) => id)
}

/** "Disabled" means now: sessions end and unsent work is cancelled in the same transaction. */
export async function stopUser(tx: Tx, userId: string): Promise<void> {
  await endSessionsOf(tx, userId)
  await endUnsentWork(tx, userId)
}

/** The same for many: only those who have work cost more than their sessions. */
export async function stopUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from sessions where user_id = any(${userIds}::uuid[])`)
  const working = await tx.rows<{ id: string }>(sql`
    select user_id as id from line_entries where user_id = any(${userIds}::uuid[])
    union
    select user_id from batches where status = 'processing' and user_id = any(${userIds}::uuid[])
    order by id`)
  for (const { id } of working) await endUnsentWork(tx, id)
}

/**
 * Puts the users that `which` finds into the trash and stops them; their videos follow (`clearTrashed`),
 * some at a time, by a job of the same transaction. Answers who they were.
 */
export async function trashUsers(
  tx: Tx,
  queue: Queue,
  which: Sql,
): Promise<{ id: string; username: string }[]> {
  const ids = await lockUsers(tx, which)
  if (ids.length === 0) return []
  await stopUsers(tx, ids)
  // The user first, then the videos: what was deleted no earlier than the user came along.
  const gone = await tx.rows<{ id: string; username: string }>(sql`
    update users set deleted_at = engine_now() where id = any(${ids}::uuid[]) returning id, username`)
  await queue.add(tx, [{ name: 'users.clear', payload: {} }])
  return gone
}

/** The same for one. */
export async function trashUser(tx: Tx, queue: Queue, userId: string): Promise<void> {
  await trashUsers(tx, queue, sql`id = ${userId}`)
}
