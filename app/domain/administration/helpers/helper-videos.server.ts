import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { IS_FAILED } from '../../videos/states.server'

const AT_ONCE = 500

/** Returns the ids of a customer's failed videos, the newest first, at most 500. */
export async function failedVideosOf(db: Executor, userId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from videos where user_id = ${userId} and ${IS_FAILED} and deleted_at is null
    order by id desc limit ${AT_ONCE}`)
  return rows.map(({ id }) => id)
}
