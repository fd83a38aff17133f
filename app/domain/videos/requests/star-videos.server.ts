import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { UserCtx } from '../../context'
import { AppError } from '../../errors'
import { lockGalleries } from '../locks.server'
import { noSuchVideo } from '../queries.server'

/** Whether videos get a star or lose it. */
type Starring = { starred: boolean }

/**
 * Gives one of the actor's videos a star, or takes it away. Doing it again changes nothing. Throws
 * NOT_FOUND, and CONFLICT for a video without a clip, which has nothing to keep.
 */
export async function starVideo(
  ctx: UserCtx,
  { id, starred }: Starring & { id: string },
): Promise<void> {
  if (!isId(id)) throw noSuchVideo()
  if ((await starVideos(ctx, { ids: [id], starred })) > 0) return
  const video = await ctx.db.prisma(({ video }) =>
    video.findFirst({
      where: { id, userId: ctx.actor.id, deletedAt: null },
      select: { starred: true },
    }),
  )
  if (!video) throw noSuchVideo()
  if (video.starred !== starred) throw new AppError('CONFLICT', 'This video is not finished yet')
}

/**
 * Does the same for several videos of the actor. Ids of other videos, videos without a clip, and those
 * that are as wanted are ignored. Returns how many were changed.
 */
export const starVideos = (
  { db, actor }: UserCtx,
  { ids, starred }: Starring & { ids: readonly string[] },
): Promise<number> =>
  db.transaction(async (tx) => {
    await lockGalleries(tx, [actor.id])
    return tx.run(sql`
      update videos set starred = ${starred}
      where id = any(${ids.filter(isId)}::uuid[]) and user_id = ${actor.id} and deleted_at is null
        and starred <> ${starred} and (file_key is not null or starred)`)
  })
