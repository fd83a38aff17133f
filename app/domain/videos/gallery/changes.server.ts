import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import type { UserCtx } from '../../context'
import { today } from '../../days.server'
import { AppError } from '../../errors'
import { countColumns, inProgress, toCounts } from './counts.server'
import { pulseOf } from './progress.server'
import type { Pulse } from './pulse'
import { PAGE_SIZES } from '../rules'
import type { GalleryCounts, VideoView } from '../types'
import { toVideo, VIDEO_COLUMNS, type VideoRow } from '../video-columns.server'

/** Number of changed videos after which a response stops. The next response continues. */
const CHANGES_AT_ONCE = 500

export type FeedState = {
  version: number
  counts: GalleryCounts
  /** Changes whenever a response of the feed would change: videos, counts or today's quota. */
  tag: string
  /** Present if requested and something is in progress. */
  pulse: Pulse | null
}

type StateRow = Parameters<typeof toCounts>[0] & {
  version: number
  day: string
  epoch: number
  reserved: number
  charged: number
  pulse: Pulse | null
}

type Asked = { limit: number; clipUnits: number; withPulse?: boolean }

/**
 * Returns the state of a user's gallery and quota. Reads two rows by key, however many videos there
 * are. The pulse is read in the same statement, and only if something is in progress. Throws
 * NOT_FOUND.
 */
export async function getFeedState(
  ctx: UserCtx,
  { limit, clipUnits, withPulse = false }: Asked,
): Promise<FeedState> {
  const { db, actor, settings } = ctx
  const row = await db.row<StateRow>(sql`
    select ${countColumns}, clock.day, coalesce(q.epoch, 0) as epoch,
      coalesce(q.reserved, 0) as reserved, coalesce(q.charged, 0) as charged,
      ${withPulse ? sql`case when ${inProgress} > 0 then ${pulseOf(ctx, actor.id)} end` : sql`null::json`} as pulse
    from (select ${today(settings.timeZone)} as day) as clock
    join galleries on galleries.user_id = ${actor.id}
    left join quota_days as q on q.user_id = galleries.user_id and q.day = clock.day`)
  if (!row) throw new AppError('NOT_FOUND', 'This account does not exist')
  const { version, day, epoch, reserved, charged, pulse } = row
  const tag = [version, limit, clipUnits, day, epoch, reserved, charged].join('.')
  return { version, counts: toCounts(row), tag, pulse }
}

export type Changes = {
  /** The responses so far include all changes up to this version. */
  version: number
  videos: VideoView[]
  deletedIds: string[]
  /** The batches of all these. */
  batchIds: string[]
}

/**
 * Lists the changes of the user's gallery after version `since`, newest video first. If there are
 * many, the response stops before the gallery's version, and the client continues from the
 * response's own version. Changes of one transaction are never split.
 */
export async function listChanges(db: Executor, userId: string, since: number): Promise<Changes> {
  const place = await db.row<{ version: number }>(sql`
    select coalesce((
      select feed_version from videos where user_id = ${userId} and feed_version > ${since}
      order by feed_version offset ${CHANGES_AT_ONCE - 1} limit 1), version) as version
    from galleries where user_id = ${userId}`)
  if (!place) return NO_CHANGES
  const rows = await db.rows<VideoRow & { isDeleted: boolean }>(sql`
    select ${VIDEO_COLUMNS}, videos.deleted_at is not null as "isDeleted"
    from videos join users on users.id = videos.user_id
    where videos.user_id = ${userId} and feed_version > ${since} and feed_version <= ${place.version}
    order by videos.created_at desc, videos.id desc`)
  return {
    version: place.version,
    videos: rows.filter((row) => !row.isDeleted).map((row) => toVideo(row, row.username)),
    deletedIds: rows.filter((row) => row.isDeleted).map(({ id }) => id),
    batchIds: batchesOf(rows),
  }
}

/** Lists the newest videos, for a client without a version. */
export async function listNewest(db: Executor, userId: string): Promise<Changes> {
  // The version first: a list that is newer than its version misses no change later.
  const place = await db.row<{ version: number }>(
    sql`select version from galleries where user_id = ${userId}`,
  )
  if (!place) return NO_CHANGES
  const rows = await db.rows<VideoRow>(sql`
    select ${VIDEO_COLUMNS} from videos join users on users.id = videos.user_id
    where videos.user_id = ${userId} and videos.deleted_at is null
    order by videos.created_at desc, videos.id desc limit ${PAGE_SIZES.narrow}`)
  return {
    version: place.version,
    videos: rows.map((row) => toVideo(row, row.username)),
    deletedIds: [],
    batchIds: batchesOf(rows),
  }
}

/** Returns the ids of the batches of videos, each once. */
export const batchesOf = (videos: readonly { batchId: string | null }[]): string[] => [
  ...new Set(videos.flatMap(({ batchId }) => batchId ?? [])),
]

const NO_CHANGES: Changes = { version: 0, videos: [], deletedIds: [], batchIds: [] }
