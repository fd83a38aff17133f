import sql, { type Sql } from 'sql-template-tag'
import type { UserCtx } from '../context'

/** Which videos the actor may see and touch: own ones, or any as an administrator. */
export function mayTouch({ actor }: UserCtx): Sql {
  const own = sql`videos.user_id = ${actor.id} and videos.deleted_at is null`
  return actor.role === 'admin' ? sql`videos.deleted_at is null` : own
}
