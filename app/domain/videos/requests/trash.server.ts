import sql, { type Sql } from 'sql-template-tag'
import type { Executor, Tx } from '~/platform/db/port'
import type { Ctx } from '../../context'
import { isoText } from '../../iso-text.server'
import { ACTIVE } from '../engine/attempts.server'
import { lockOwners } from '../locks.server'
import type { Cursor } from '../cursor'
import { FAILURE_TEXT, REGENERATION_STOPPED } from '../rules'
import type { VideoView } from '../types'
import { toVideo, VIDEO_COLUMNS, type VideoRow } from '../video-columns.server'

/** Number of days for which deleted videos can be restored (decision Q-54). */
export const TRASH_DAYS = 7
const TRASH_PAGE_SIZE = 12
/** Videos removed per step of the purge. */
const PURGE_STEP = 200

const isMoving = sql`exists (select 1 from attempts where attempts.video_id = videos.id
  and attempts.generation = videos.generation and state in (${ACTIVE}))`

/**
 * Condition for videos that can be restored: deleted within TRASH_DAYS, and with something to
 * restore. A video that was deleted while it was being made has nothing once its clip was discarded
 * and charged. Videos of deleted users are restored together with their user.
 */
export const IN_TRASH = sql`videos.deleted_at is not null
  and videos.deleted_at > engine_now() - make_interval(days => ${TRASH_DAYS})
  and exists (select 1 from users where users.id = videos.user_id and users.deleted_at is null)
  and not (videos.file_key is null and exists (select 1 from quota_charges as charge
    where charge.video_id = videos.id and charge.generation = videos.generation and charge.state = 'charged'))`

/** A deleted video and when it will be purged. */
export type TrashedVideo = VideoView & { deletedAt: string; goneAt: string }
export type TrashPage = { videos: TrashedVideo[]; next: Cursor | null }

/**
 * Lists a page of what is in the trash and matches a condition on `videos` joined to `users`, after
 * the cursor `after`.
 */
export async function readTrash(
  db: Executor,
  which: Sql,
  after: Cursor | null,
): Promise<TrashPage> {
  const beyond = after
    ? sql`(videos.deleted_at, videos.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
    : sql`true`
  const rows = await db.rows<VideoRow & { deletedAt: string; goneAt: string }>(sql`
    select ${VIDEO_COLUMNS}, ${isoText(sql`videos.deleted_at`)} as "deletedAt",
      ${isoText(sql`videos.deleted_at + make_interval(days => ${TRASH_DAYS})`)} as "goneAt"
    from videos join users on users.id = videos.user_id
    where ${IN_TRASH} and ${which} and ${beyond}
    order by videos.deleted_at desc, videos.id desc limit ${TRASH_PAGE_SIZE + 1}`)
  const videos = rows
    .slice(0, TRASH_PAGE_SIZE)
    .map((row) => ({ ...toVideo(row, row.username), deletedAt: row.deletedAt, goneAt: row.goneAt }))
  const last = videos.at(-1)
  const hasMore = rows.length > TRASH_PAGE_SIZE && last !== undefined
  return { videos, next: hasMore ? { at: last.deletedAt, id: last.id } : null }
}

/**
 * Restores the trashed videos that match `which`. A video whose order is still in progress
 * continues. Otherwise a video that was in progress becomes completed if it has a clip (a stopped
 * regeneration is not a failure), else failed as 'Cancelled'. Returns how many were restored.
 */
export async function restoreVideos(tx: Tx, which: Sql): Promise<number> {
  await lockOwners(tx, which)
  const failed = sql`videos.file_key is null`
  const returned = sql`exists (select 1 from quota_charges as charge where charge.video_id = videos.id
    and charge.generation = videos.generation and charge.state = 'returned')`
  return tx.run(sql`
    with chosen as (
      select videos.id, status in ('pending', 'generating') as "wasWorking", ${isMoving} as "isMoving",
        ${returned} as "wasReturned"
      from videos where ${which} and videos.deleted_at is not null for update
    )
    update videos set deleted_at = null, restored_at = engine_now(),
      status = case when not "wasWorking" then videos.status
        when "isMoving" then 'generating'::video_status
        when ${failed} then 'error'::video_status else 'completed'::video_status end,
      error_code = case when not "wasWorking" or "isMoving" then error_code
        when ${failed} then 'cancelled' when not "wasReturned" then error_code end,
      error_message = case when not "wasWorking" or "isMoving" then error_message
        when ${failed} then ${FAILURE_TEXT.cancelled}
        when "wasReturned" then ${REGENERATION_STOPPED} else error_message end
    from chosen where videos.id = chosen.id`)
}

/**
 * Permanently removes videos that have been in the trash for TRASH_DAYS, rows and files, in steps.
 * Videos with an order in progress are left for a later run. Idempotent. Returns the number of rows
 * removed.
 */
export async function purgeTrash({ db, queue }: Pick<Ctx, 'db' | 'queue'>): Promise<number> {
  for (let total = 0; ;) {
    const count = await db.transaction(async (tx) => {
      const gone = await tx.rows<{ fileKey: string | null; posterKey: string | null }>(sql`
        with old as (
          select id from videos
          where deleted_at < engine_now() - make_interval(days => ${TRASH_DAYS}) and not ${isMoving}
          order by deleted_at limit ${PURGE_STEP} for update skip locked
        )
        delete from videos using old where videos.id = old.id
        returning file_key as "fileKey", poster_key as "posterKey"`)
      const keys = gone
        .flatMap(({ fileKey, posterKey }) => [fileKey, posterKey])
        .filter((key) => key !== null)
      if (keys.length > 0) await queue.add(tx, [{ name: 'videos.purge', payload: { keys } }])
      return gone.length
    })
    total += count
    if (count < PURGE_STEP) return total
  }
}
