import sql, { type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { UserCtx } from '../../context'
import { AppError } from '../../errors'
import type { Cursor } from '../cursor'
import { IN_TRASH, readTrash, restoreVideos, TRASH_DAYS, type TrashPage } from './trash.server'
import { lockOwners } from '../locks.server'

/** Videos of the actor's trash: some of them, or what one deletion removed, by its time. */
type TrashChoice = { ids: readonly string[] } | { deletedAt: string }

/** Lists a page of the actor's own trash, most recently deleted first, after the cursor `after`. */
export const listOwnTrash = ({ db, actor }: UserCtx, after: Cursor | null): Promise<TrashPage> =>
  readTrash(db, sql`videos.user_id = ${actor.id}`, after)

/**
 * Restores own videos with their files. Costs and returns no quota. Returns how many. Throws
 * CONFLICT if none of them is in the trash.
 */
export const restoreOwn = (ctx: UserCtx, choice: TrashChoice): Promise<number> =>
  ctx.db.transaction(async (tx) => {
    const count = await restoreVideos(tx, inOwnTrash(ctx, choice))
    if (count === 0) throw notThere()
    return count
  })

/**
 * Removes own videos for good: they leave the trash at once, as if their days there had passed, and
 * the job that empties it deletes rows and files. Nobody can restore them. Returns how many. Throws
 * CONFLICT if none of them is in the trash.
 */
export const removeOwn = (ctx: UserCtx, ids: readonly string[]): Promise<number> =>
  ctx.db.transaction(async (tx) => {
    const which = inOwnTrash(ctx, { ids })
    await lockOwners(tx, which)
    const count = await tx.run(sql`
      update videos set deleted_at = engine_now() - make_interval(days => ${TRASH_DAYS}, secs => 1)
      where ${which}`)
    if (count === 0) throw notThere()
    await ctx.queue.add(tx, [{ name: 'videos.purge-trash', payload: {} }])
    return count
  })

function inOwnTrash({ actor }: UserCtx, choice: TrashChoice): Sql {
  const chosen =
    'ids' in choice
      ? sql`videos.id = any(${choice.ids.filter(isId)}::uuid[])`
      : sql`videos.deleted_at = ${choice.deletedAt}::timestamptz`
  return sql`videos.user_id = ${actor.id} and ${chosen} and ${IN_TRASH}`
}

const notThere = () =>
  new AppError('CONFLICT', 'None of these videos is in Recently deleted any more')
