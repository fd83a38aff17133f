import sql, { empty, type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import type { VideoListQuery } from './schemas'
import type { VideoView } from './types'
import { toVideo, VIDEO_COLUMNS, type VideoRow } from './video-columns.server'
import { isVisibleTo } from './visibility.server'

const NO_SUCH_VIDEO = 'This video does not exist'

/**
 * Returns the NOT_FOUND error for a video. It does not reveal whether another user has a video with
 * that id.
 */
export function noSuchVideo(): AppError {
  return new AppError('NOT_FOUND', NO_SUCH_VIDEO)
}

/** Returns one video and the version for its ETag. Throws NOT_FOUND. */
export async function getVersionedVideo(
  ctx: UserCtx,
  id: string,
): Promise<{ video: VideoView; version: number }> {
  const row = isId(id)
    ? await ctx.db.row<VideoRow & { version: number }>(sql`
        select ${VIDEO_COLUMNS}, videos.feed_version as version
        from videos join users on users.id = videos.user_id
        where videos.id = ${id} and ${isVisibleTo(ctx)}`)
    : undefined
  if (!row) throw noSuchVideo()
  return { video: toVideo(row, row.username), version: row.version }
}

/** Returns one video. Throws NOT_FOUND. */
export async function getVideo(ctx: UserCtx, id: string): Promise<VideoView> {
  const video = await findVideo(ctx, id)
  if (!video) throw noSuchVideo()
  return video
}

/** Returns one video, or null if it does not exist or the actor may not see it. */
export async function findVideo(ctx: UserCtx, id: string | null): Promise<VideoView | null> {
  if (id === null || !isId(id)) return null
  const row = await ctx.db.row<VideoRow>(sql`
    select ${VIDEO_COLUMNS} from videos join users on users.id = videos.user_id
    where videos.id = ${id} and ${isVisibleTo(ctx)}`)
  return row ? toVideo(row, row.username) : null
}

export type StoredClip = {
  fileKey: string
  posterKey: string | null
  sha256: string
  /** The start of the prompt, long enough for a file name. */
  opening: string
}

/**
 * Returns where a video's files are stored. Throws NOT_FOUND, or CONFLICT if there is no clip yet.
 */
export async function getStoredClip(ctx: UserCtx, id: string): Promise<StoredClip> {
  const row = isId(id)
    ? await ctx.db.row<{ [Key in keyof StoredClip]: StoredClip[Key] | null }>(sql`
        select file_key as "fileKey", poster_key as "posterKey", file_sha256 as sha256,
          left(prompt, 200) as opening
        from videos where id = ${id} and ${isVisibleTo(ctx)}`)
    : undefined
  if (!row) throw noSuchVideo()
  const { fileKey, posterKey, sha256, opening } = row
  if (fileKey === null || sha256 === null) {
    throw new AppError('CONFLICT', 'This video is not finished yet')
  }
  return { fileKey, posterKey, sha256, opening: opening ?? '' }
}

/** A gallery's status filter as SQL. */
export const STATUS_FILTER = {
  all: empty,
  completed: sql`and videos.status = 'completed'`,
  pending: sql`and videos.status in ('pending', 'generating')`,
  error: sql`and videos.status = 'error'`,
} as const satisfies Record<VideoListQuery['status'], Sql>
