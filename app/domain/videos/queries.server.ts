import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { clipName, numberVideos } from './file-names.server'
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
  /** What the name of a downloaded file is made of. `prompt` is its beginning. */
  name: string | null
  prompt: string
  userId: string
  owner: string
  /** Null until a name was needed. */
  number: number | null
}

/**
 * Returns where a video's files are stored. Throws NOT_FOUND, or CONFLICT if there is no clip yet.
 */
export async function getStoredClip(ctx: UserCtx, id: string): Promise<StoredClip> {
  const row = isId(id)
    ? await ctx.db.row<Omit<StoredClip, 'fileKey' | 'sha256'> & Stored>(sql`
        select file_key as "fileKey", poster_key as "posterKey", file_sha256 as sha256,
          clip_name as name, left(prompt, 200) as prompt, videos.user_id as "userId", users.username as owner,
          (select number from video_numbers where video_id = videos.id) as number
        from videos join users on users.id = videos.user_id
        where videos.id = ${id} and ${isVisibleTo(ctx)}`)
    : undefined
  if (!row) throw noSuchVideo()
  const { fileKey, sha256, ...rest } = row
  if (fileKey === null || sha256 === null) {
    throw new AppError('CONFLICT', 'This video is not finished yet')
  }
  return { fileKey, sha256, ...rest }
}

type Stored = { fileKey: string | null; sha256: string | null }

/** Returns the name under which a clip is downloaded, without its ending. Throws as getStoredClip. */
export async function nameOfClip(ctx: UserCtx, id: string, clip: StoredClip): Promise<string> {
  const { number } = clip
  if (number !== null) return clipName(ctx, { ...clip, number })
  await numberVideos(ctx, sql`videos.id = ${id}`)
  const named = await getStoredClip(ctx, id)
  return clipName(ctx, { ...named, number: named.number ?? 0 })
}
