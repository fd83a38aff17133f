import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { NewJob, Queue } from '~/platform/queue/port'
import type { Lane } from './types'

/**
 * How many videos of a user may be in progress, as multiples of the videos per round (Q-8, Q-55).
 */
export const USER_CAP = { singles: 1, everything: 10 } as const

/** The caps as arguments of the engine's SQL functions. */
export const userCaps: Sql = sql`${USER_CAP.singles}::int, ${USER_CAP.everything}::int`

type Entry = {
  videoId: string
  generation: number
  /** The user in whose turn the video is sent. */
  userId: string
  lane: Lane
}

/**
 * Adds an accepted video to the line, within the transaction that accepted it. The video is sent at
 * once if the user's cap allows it, otherwise when another of the user's videos ends.
 */
export async function enterLine(tx: Tx, queue: Queue, entry: Entry): Promise<void> {
  const { videoId, generation, userId, lane } = entry
  await tx.run(sql`
    with entered as (
      insert into line_entries (video_id, generation, user_id, lane, route, state, entered_at)
      values (${videoId}, ${generation}, ${userId}, ${lane}, route_of(${userId}, null), 'gated', engine_now())
      returning user_id
    )
    select ${admitting(queue, sql`user_id`)} from entered`)
}

/**
 * Makes a user's gated videos ready as far as the user's caps allow, round-robin across users: a
 * user's second waiting video comes after all other users' first. Must be called in every
 * transaction in which a video of the user enters the line or ends.
 */
export async function admitWaiting(tx: Tx, queue: Queue, userId: string): Promise<void> {
  await tx.run(sql`select ${admitting(queue, sql`${userId}`)}`)
}

const admitting = (queue: Queue, userId: Sql): Sql =>
  sql`case when admit_waiting(${userId}, ${userCaps}) > 0 then ${queue.adding([DISPATCH_NOW])} end`

/** Job that dispatches the line. Its key ensures that at most one is scheduled. */
export const DISPATCH_NOW: NewJob = { name: 'videos.dispatch', payload: {}, key: 'line' }

/** Allows for the statements between the one that sets a time and the one that adds the job. */
const MARGIN_MS = 50

/** Returns the job that dispatches the line once `waitMs` milliseconds have passed. */
export const dispatchAfter = (waitMs: number): NewJob => ({
  name: 'videos.dispatch',
  payload: {},
  delayMs: waitMs + MARGIN_MS,
})
