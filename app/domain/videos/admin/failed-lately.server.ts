import sql from 'sql-template-tag'
import type { AdminCtx } from '../../context'
import { isoText } from '../../iso-text.server'
import { failedFor } from '../found-by.server'
import { ownerNotInTrash } from '../owners.server'

/** Failed videos that their owners did not cause: how many, and when the first of them was created. */
export type FailedLately = { count: number; since: string }

/** Returns the failed videos of the last day that their owners did not cause, or null without any. */
export async function findFailedLately({ db }: Pick<AdminCtx, 'db'>): Promise<FailedLately | null> {
  const { count, since } = await db.one<{ count: number; since: string | null }>(sql`
    select count(*)::int as count, ${isoText(sql`min(created_at)`)} as since from videos
    where deleted_at is null and created_at > engine_now() - interval '1 day'
      and ${ownerNotInTrash(sql`user_id`)} ${failedFor('service')}`)
  return since === null ? null : { count, since }
}
