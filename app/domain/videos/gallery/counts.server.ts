import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { AppError } from '../../errors'
import { IS_WAITING_PROMPT } from '../states.server'
import type { GalleryCounts, VideoCounts, WaitingCounts } from '../types'

/** Counters of one gallery by displayed state and aspect ratio. */
export type CountRow = {
  uprightDone: number
  uprightOpen: number
  uprightFailed: number
  wideDone: number
  wideOpen: number
  wideFailed: number
  /** Part of the two failed columns; of both formats, and of wide ones alone. */
  cancelled: number
  wideCancelled: number
}

/** The columns of `galleries` that `toCounts` reads. */
export const countColumns = sql`version,
  completed_portrait as "uprightDone", pending_portrait + generating_portrait as "uprightOpen",
  error_portrait as "uprightFailed", completed_landscape as "wideDone",
  pending_landscape + generating_landscape as "wideOpen", error_landscape as "wideFailed",
  cancelled, cancelled_landscape as "wideCancelled"`

/** Number of videos in progress in a row of `galleries`. */
export const inProgress = sql`
  (pending_portrait + generating_portrait + pending_landscape + generating_landscape)`

/** The columns of `countColumns`, except the version, summed over the selected galleries. */
export const summedColumns = sql`
  coalesce(sum(completed_portrait), 0)::int as "uprightDone",
  coalesce(sum(pending_portrait + generating_portrait), 0)::int as "uprightOpen",
  coalesce(sum(error_portrait), 0)::int as "uprightFailed",
  coalesce(sum(completed_landscape), 0)::int as "wideDone",
  coalesce(sum(pending_landscape + generating_landscape), 0)::int as "wideOpen",
  coalesce(sum(error_landscape), 0)::int as "wideFailed",
  coalesce(sum(cancelled), 0)::int as cancelled,
  coalesce(sum(cancelled_landscape), 0)::int as "wideCancelled"`

/** What was cancelled was never tried, so it has not failed. */
const count = (parts: Omit<VideoCounts, 'total'>): VideoCounts => ({
  total: parts.completed + parts.inProgress + parts.failed + parts.cancelled,
  ...parts,
})

/** Returns the counters of all videos and of each aspect ratio. */
export function toCounts(row: CountRow): GalleryCounts {
  const { cancelled, wideCancelled } = row
  const uprightCancelled = cancelled - wideCancelled
  const portrait = count({
    completed: row.uprightDone,
    inProgress: row.uprightOpen,
    failed: row.uprightFailed - uprightCancelled,
    cancelled: uprightCancelled,
  })
  const landscape = count({
    completed: row.wideDone,
    inProgress: row.wideOpen,
    failed: row.wideFailed - wideCancelled,
    cancelled: wideCancelled,
  })
  const both = count({
    completed: portrait.completed + landscape.completed,
    inProgress: portrait.inProgress + landscape.inProgress,
    failed: portrait.failed + landscape.failed,
    cancelled,
  })
  return { ...both, portrait, landscape }
}

export type VersionedCounts = { counts: GalleryCounts; version: number }

/**
 * Returns the counters for a user's screens and the gallery version they belong to. Throws
 * NOT_FOUND.
 */
export async function getCounts(db: Executor, userId: string): Promise<VersionedCounts> {
  const row = await db.row<CountRow & { version: number }>(
    sql`select ${countColumns} from galleries where user_id = ${userId}`,
  )
  if (!row) throw new AppError('NOT_FOUND', 'This account does not exist')
  return { counts: toCounts(row), version: row.version }
}

/**
 * Counts the prompts of a user's batches that were never sent. It reads the user's videos in progress
 * (videos_active_idx), however many others there are.
 */
export const countWaitingPrompts = (db: Executor, userId: string): Promise<WaitingCounts> =>
  countWaitingOf(db, sql`user_id = ${userId}`)

/** The same of several users. `whose` is a condition on `user_id`. */
export const countWaitingOf = (db: Executor, whose: Sql): Promise<WaitingCounts> =>
  db.one<WaitingCounts>(sql`
    select count(*) filter (where aspect_ratio = 'portrait')::int as portrait,
      count(*) filter (where aspect_ratio = 'landscape')::int as landscape
    from videos where ${whose} and deleted_at is null and ${IS_WAITING_PROMPT}`)
