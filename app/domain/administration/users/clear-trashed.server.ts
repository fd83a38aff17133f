import sql from 'sql-template-tag'
import type { Ctx } from '../../context'
import { removeVideos } from '../../videos/requests/delete-videos.server'

/** Maximum number of videos moved to the trash per transaction. */
const AT_ONCE = 1000

type Scope = Pick<Ctx, 'db' | 'queue'>

/**
 * Moves the videos of trashed users to the trash, in transactions of AT_ONCE videos, so that even a
 * million of them block no other work. Stops after `budgetMs`; a job does the rest. Clips in
 * progress are discarded on arrival. Returns whether all videos were moved.
 */
export async function clearTrashed(
  { db, queue }: Scope,
  budgetMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const startedAt = performance.now()
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const some = await tx.rows<{ id: string }>(sql`
        select videos.id from users join videos on videos.user_id = users.id
        where users.deleted_at is not null and videos.deleted_at is null
          and exists (select 1 from galleries where galleries.user_id = users.id
            and pending_portrait + pending_landscape + generating_portrait + generating_landscape
              + completed_portrait + completed_landscape + error_portrait + error_landscape > 0)
        limit ${AT_ONCE} for update of users`)
      const ids = some.map(({ id }) => id)
      const which = sql`videos.id = any(${ids}::uuid[]) and videos.deleted_at is null`
      if (some.length > 0) await removeVideos(tx, queue, which)
      return some.length
    })
    if (count === 0) return true
    if (performance.now() - startedAt > budgetMs) return false
  }
}
