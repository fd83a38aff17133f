import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Queue } from '~/platform/queue/port'
import { endSessionsOf } from '../accounts/sessions.server'
import { endUnsentWork } from '../batches/end-unsent-work.server'
import { removeVideos } from '../videos/delete-videos.server'

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

/** Puts a user and his videos into the trash. What is being made is thrown away when it arrives. */
export async function trashUser(tx: Tx, queue: Queue, userId: string): Promise<void> {
  await stopUser(tx, userId)
  await removeVideos(tx, queue, sql`videos.user_id = ${userId} and videos.deleted_at is null`)
  await tx.run(
    sql`update users set deleted_at = engine_now(), is_active = false where id = ${userId}`,
  )
}
