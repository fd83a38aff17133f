import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { NewJob, Queue } from '~/platform/queue/port'
import type { Lane } from './types'

/** How much of a user's work may be under way, as multiples of the videos per round (Q-8, Q-55). */
export const USER_CAP = { singles: 1, everything: 10 } as const

/** The caps as the engine's SQL functions take them. */
export const userCaps: Sql = sql`${USER_CAP.singles}::int, ${USER_CAP.everything}::int`

type Entry = {
  videoId: string
  generation: number
  /** Whose turn it takes. */
  userId: string
  lane: Lane
}

/**
 * Puts an accepted video into the waiting line, on the transaction that accepted it. It goes out at
 * once when the user has room for it, else when another of the user's videos ends.
 */
export async function enterLine(tx: Tx, queue: Queue, entry: Entry): Promise<void> {
  const { videoId, generation, userId, lane } = entry
  await tx.run(sql`
    with entered as (
      insert into line_entries (video_id, generation, user_id, lane, state, entered_at)
      values (${videoId}, ${generation}, ${userId}, ${lane}, 'gated', engine_now())
      returning user_id
    )
    select ${admitting(queue, sql`user_id`)} from entered`)
}

/**
 * Lets a user's gated videos into the line as far as the user's caps allow, round-robin across users: a
 * second waiting video comes after everybody's first. Call it, in the same transaction, whenever a video
 * of the user entered or ended.
 */
export async function admitWaiting(tx: Tx, queue: Queue, userId: string): Promise<void> {
  await tx.run(sql`select ${admitting(queue, sql`${userId}`)}`)
}

const admitting = (queue: Queue, userId: Sql): Sql =>
  sql`case when admit_waiting(${userId}, ${userCaps}) > 0 then ${queue.adding([LOOK_AT_LINE])} end`

/** Schedules a look at the line; while one is scheduled, asking again adds none. */
export const LOOK_AT_LINE: NewJob = { name: 'videos.dispatch', payload: {}, key: 'line' }
