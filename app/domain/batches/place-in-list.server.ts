import sql, { type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { UserCtx } from '../context'

/**
 * Condition for the batches that follow one of the actor's in the list, newest first. None follow a
 * batch that they do not have. A page is found from the last batch of the one before it, so that it
 * costs the same wherever it is.
 */
export async function isBefore({ db, actor }: UserCtx, batchId: string): Promise<Sql> {
  const last = isId(batchId)
    ? await db.row<{ id: string; createdAt: Date }>(sql`
        select id, created_at as "createdAt" from batches
        where id = ${batchId} and user_id = ${actor.id}`)
    : undefined
  return last
    ? sql`(created_at, id) < (${last.createdAt}::timestamptz, ${last.id}::uuid)`
    : sql`false`
}
