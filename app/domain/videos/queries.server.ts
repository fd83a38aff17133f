import sql, { empty, type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Executor } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { COUNT_OF } from './count-of.server'
import type { VideoListQuery } from './schemas'
import type { Pagination, VideoCounts, VideoView } from './types'
import { videoJson } from './video-json.server'
import { mayTouch } from './visibility.server'

const NO_SUCH_VIDEO = 'This video does not exist'

/** Throws NOT_FOUND, the same for an id that does not exist and for somebody else's. */
export function noSuchVideo(): AppError {
  return new AppError('NOT_FOUND', NO_SUCH_VIDEO)
}

/** JSON text of one video and the version its ETag is made of. Throws NOT_FOUND. */
export async function getVideoJson(
  ctx: UserCtx,
  id: string,
): Promise<{ json: string; version: number }> {
  const row = isId(id)
    ? await ctx.db.row<{ json: string; version: number }>(sql`
        select ${videoJson}::text as json, videos.feed_version as version
        from videos join users on users.id = videos.user_id
        where videos.id = ${id} and ${mayTouch(ctx)}`)
    : undefined
  if (!row) throw noSuchVideo()
  return row
}

/** One video. Throws NOT_FOUND. */
export async function getVideo(ctx: UserCtx, id: string): Promise<VideoView> {
  const video = await findVideo(ctx, id)
  if (!video) throw noSuchVideo()
  return video
}

/** One video, or null for an id that is none of the actor's. */
export async function findVideo(ctx: UserCtx, id: string | null): Promise<VideoView | null> {
  if (id === null || !isId(id)) return null
  const row = await ctx.db.row<{ video: VideoView }>(sql`
    select ${videoJson} as video from videos join users on users.id = videos.user_id
    where videos.id = ${id} and ${mayTouch(ctx)}`)
  return row?.video ?? null
}

export type StoredClip = {
  fileKey: string
  posterKey: string | null
  bytes: number
  sha256: string
}

/** Where a video's bytes are. Throws NOT_FOUND, or CONFLICT while there are none. */
export async function getStoredClip(ctx: UserCtx, id: string): Promise<StoredClip> {
  const row = isId(id)
    ? await ctx.db.row<{ [Key in keyof StoredClip]: StoredClip[Key] | null }>(sql`
        select file_key as "fileKey", poster_key as "posterKey", file_bytes as bytes, file_sha256 as sha256
        from videos where id = ${id} and ${mayTouch(ctx)}`)
    : undefined
  if (!row) throw noSuchVideo()
  const { fileKey, posterKey, bytes, sha256 } = row
  if (fileKey === null || bytes === null || sha256 === null) {
    throw new AppError('CONFLICT', 'This video is not finished yet')
  }
  return { fileKey, posterKey, bytes, sha256 }
}

/** A gallery's status filter as SQL. */
export const STATUS_FILTER = {
  all: empty,
  completed: sql`and videos.status = 'completed'`,
  pending: sql`and videos.status in ('pending', 'generating')`,
  error: sql`and videos.status = 'error'`,
} as const satisfies Record<VideoListQuery['status'], Sql>

/** Whose videos a list shows: an administrator's API list is everybody's unless he asks for his own. */
function listScope(ctx: UserCtx, query: VideoListQuery): Sql {
  const everybodys = ctx.actor.role === 'admin' && query.scope !== 'mine'
  const own = sql`videos.user_id = ${ctx.actor.id} and videos.deleted_at is null`
  return everybodys ? sql`videos.deleted_at is null` : own
}

/** One page, newest first, as JSON text of an array. */
export async function listVideosJson(ctx: UserCtx, query: VideoListQuery): Promise<string> {
  const row = await ctx.db.row<{ json: string }>(
    sql`select coalesce(json_agg(video), '[]')::text as json from (${page(ctx, query)}) as page`,
  )
  return row?.json ?? '[]'
}

/** One page, newest first. */
export async function listVideos(ctx: UserCtx, query: VideoListQuery): Promise<VideoView[]> {
  const rows = await ctx.db.rows<{ video: VideoView }>(page(ctx, query))
  return rows.map(({ video }) => video)
}

function page(ctx: UserCtx, query: VideoListQuery): Sql {
  const { page, limit, status, aspectRatio } = query
  return sql`
    select ${videoJson} as video
    from videos join users on users.id = videos.user_id
    where ${listScope(ctx, query)} ${STATUS_FILTER[status]}
      ${aspectRatio === 'all' ? empty : sql`and videos.aspect_ratio = ${aspectRatio}::aspect_ratio`}
    order by videos.created_at desc, videos.id desc
    limit ${limit} offset ${(page - 1) * limit}`
}

/** How many videos the query's filters find, from the counts kept beside each gallery. */
export async function countVideos(ctx: UserCtx, query: VideoListQuery): Promise<Pagination> {
  const { page, limit, status, aspectRatio } = query
  const everybodys = ctx.actor.role === 'admin' && query.scope !== 'mine'
  const row = await ctx.db.row<{ count: number }>(sql`
    select coalesce(sum(${COUNT_OF[status][aspectRatio]}), 0)::int as count from galleries
    ${everybodys ? empty : sql`where user_id = ${ctx.actor.id}`}`)
  const totalCount = row?.count ?? 0
  return { page, limit, totalCount, totalPages: Math.max(1, Math.ceil(totalCount / limit)) }
}

/** The four counters of a user's screens, and the version they belong to. */
export async function getCounts(
  db: Executor,
  userId: string,
): Promise<{ counts: VideoCounts; version: number }> {
  const row = await db.row<VideoCounts & { version: number }>(sql`
    select version, ${COUNT_OF.all.all} as total, ${COUNT_OF.completed.all} as completed,
      ${COUNT_OF.pending.all} as "inProgress", ${COUNT_OF.error.all} as failed
    from galleries where user_id = ${userId}`)
  if (!row) throw new AppError('NOT_FOUND', 'This account does not exist')
  const { version, ...counts } = row
  return { counts, version }
}

export type Changes = {
  version: number
  videos: VideoView[]
  deletedIds: string[]
}

/** The user's videos that changed after a version of his gallery, oldest change first. */
export async function listChanges(db: Executor, userId: string, since: number): Promise<Changes> {
  const row = await db.row<Changes>(sql`
    select galleries.version,
      coalesce((select json_agg(${videoJson} order by videos.created_at desc, videos.id desc)
        from videos join users on users.id = videos.user_id
        where videos.user_id = ${userId} and videos.feed_version > ${since}
          and videos.deleted_at is null), '[]') as videos,
      coalesce((select json_agg(id) from videos
        where user_id = ${userId} and feed_version > ${since}
          and deleted_at is not null), '[]') as "deletedIds"
    from galleries where user_id = ${userId}`)
  return row ?? { version: 0, videos: [], deletedIds: [] }
}
