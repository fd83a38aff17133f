import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { logActivity } from '../../activity/write.server'
import type { AdminCtx } from '../../context'
import { AppError } from '../../errors'
import type { Cursor } from '../cursor'
import { ownerNamed } from '../owners.server'
import { IN_TRASH, readTrash, restoreVideos, type TrashPage } from '../requests/trash.server'

/** Lists a page of the trash, most recently deleted first, after the cursor `after`. */
export const listTrash = (
  { db, settings }: AdminCtx,
  { search, after }: { search: string; after: Cursor | null },
): Promise<TrashPage> => readTrash(db, ownerNamed(search, settings), after)

/**
 * Restores selected videos with their files. Returns how many. Throws CONFLICT if there are none.
 */
export async function restoreSelected(ctx: AdminCtx, ids: readonly string[]): Promise<number> {
  const known = ids.filter(isId)
  return ctx.db.transaction(async (tx) => {
    const count = await restoreVideos(tx, sql`videos.id = any(${known}::uuid[]) and ${IN_TRASH}`)
    if (count === 0) throw new AppError('CONFLICT', 'None of these videos is in the trash any more')
    await logActivity(tx, ctx, { action: 'video.restore', count })
    return count
  })
}
