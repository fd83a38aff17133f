import sql, { type Sql } from 'sql-template-tag'
import type { UserCtx } from '../context'

/**
 * Builds the condition for the videos that the actor may see and change: their own, or any for an
 * administrator. Excludes deleted videos.
 */
export function isVisibleTo({ actor }: UserCtx): Sql {
  const own = sql`videos.user_id = ${actor.id} and videos.deleted_at is null`
  return actor.role === 'admin' ? sql`videos.deleted_at is null` : own
}
