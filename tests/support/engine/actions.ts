import { NO_TEXTS } from '../../../app/domain/videos/order-fields'
import { startBatch } from '../../../app/domain/batches/start-batch.server'
import type { UserCtx } from '../../../app/domain/context'
import { isAppError, type ErrorCode } from '../../../app/domain/errors'
import { generateVideo } from '../../../app/domain/videos/requests/generate-video.server'
import type { GenerateVideoInput } from '../../../app/domain/videos/schemas'
import type { Db } from '../../../app/platform/db/port'
import type { Engine } from './engine'

/** Actions of users, one line each. */

const shape = { aspectRatio: 'portrait', ...NO_TEXTS } as const

export const prompts = (count: number, word = 'prompt'): string[] =>
  Array.from({ length: count }, (_, i) => `${word} ${i + 1}`)

type Accepted = {
  /** Videos and batches whose acceptance a client received, with the id of their owner. */
  videos: Map<string, string>
  batches: Map<string, { userId: string; total: number }>
}
const accepted = new WeakMap<Db, Accepted>()

/**
 * Returns what was accepted over a database, as its clients received it. I1 is checked against it.
 */
export function acceptedFrom(db: Db): Accepted {
  const known = accepted.get(db) ?? { videos: new Map(), batches: new Map() }
  accepted.set(db, known)
  return known
}

export async function generate(
  user: UserCtx,
  prompt = 'a kite',
  key?: string,
  more: Partial<GenerateVideoInput> = {},
) {
  const response = await generateVideo(user, { ...shape, ...more, prompt }, key)
  acceptedFrom(user.db).videos.set(response.id, user.actor.id)
  return response
}

export async function bulk(user: UserCtx, count: number, key?: string) {
  const response = await startBatch(user, { ...shape, prompts: prompts(count) }, key)
  acceptedFrom(user.db).batches.set(response.batchId, { userId: user.actor.id, total: count })
  return response
}

/**
 * Starts a batch with what is left today. The rest waits for the next days; with `queue` the batch waits
 * in line while another one is running.
 */
export async function bulkOverDays(user: UserCtx, count: number, { queue }: { queue?: true } = {}) {
  const input = { ...shape, prompts: prompts(count), carryOver: true, queue } as const
  const response = await startBatch(user, input)
  acceptedFrom(user.db).batches.set(response.batchId, { userId: user.actor.id, total: count })
  return response
}

/** Starts a batch of one video, and runs jobs until it has ended and nobody has heard of it yet. */
export async function endUnheard(engine: Engine, user: UserCtx): Promise<string> {
  const { batchId } = await bulk(user, 1)
  const isUnheard = async () => (await engine.pool.query('select 1 from events')).rowCount !== 0
  while (!(await isUnheard())) if (!(await engine.worker().step())) await engine.clock.move(500)
  return batchId
}

type Round = { roundNo: number; size: number; gap: number | null }

/** Returns the rounds of a batch, each with the seconds since the one before it. */
export async function roundsOf({ pool }: Pick<Engine, 'pool'>, batchId: string): Promise<Round[]> {
  const { rows } = await pool.query<Round>(
    `select round_no as "roundNo", size,
       extract(epoch from fired_at - lag(fired_at) over (order by round_no))::float as gap
     from rounds where batch_id = $1 order by round_no`,
    [batchId],
  )
  return rows
}

/** Returns the seconds between the rounds of a batch. */
export async function gapsOfRounds(engine: Engine, batchId: string): Promise<number[]> {
  const rounds = await roundsOf(engine, batchId)
  return rounds.flatMap(({ gap }) => (gap === null ? [] : [gap]))
}

/** Returns the result, or the code of an AppError. Throws any other error. */
export async function attempt<T>(run: () => Promise<T>): Promise<T | ErrorCode> {
  try {
    return await run()
  } catch (error) {
    if (isAppError(error)) return error.code
    throw error
  }
}

type Quota = { used: number; reserved: number; charged: number; lines: Record<string, number> }

/** Returns a user's counters of today, and the number of their ledger lines by state. */
export async function quotaOf({ pool }: Engine, { actor }: UserCtx): Promise<Quota> {
  const counters = await pool.query<{ reserved: number; charged: number }>(
    `select coalesce(sum(reserved), 0)::int as reserved, coalesce(sum(charged), 0)::int as charged
     from quota_days where user_id = $1 and day = (engine_now() at time zone 'UTC')::date`,
    [actor.id],
  )
  const ledger = await pool.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from quota_charges where user_id = $1 group by state',
    [actor.id],
  )
  const { reserved = 0, charged = 0 } = counters.rows[0] ?? {}
  const lines = Object.fromEntries(ledger.rows.map(({ state, count }) => [state, count]))
  return { used: reserved + charged, reserved, charged, lines }
}

type Video = {
  id: string
  status: string
  errorCode: string | null
  errorMessage: string | null
  generation: number
  regenerateCount: number
  regeneratedByAdmin: boolean
  fileKey: string | null
  deletedAt: Date | null
}

/** Returns the statuses of a user's videos in the order of their acceptance. */
export const statusesOf = async (engine: Engine, user: UserCtx): Promise<string[]> =>
  (await videosOf(engine, user)).map(({ status }) => status)

/** Returns a user's videos in the order of their acceptance, including deleted ones. */
export async function videosOf({ pool }: Engine, { actor }: UserCtx): Promise<Video[]> {
  const { rows } = await pool.query<Video>(
    `select id, status, error_code as "errorCode", error_message as "errorMessage", generation,
       regenerate_count as "regenerateCount", regenerated_by_admin as "regeneratedByAdmin",
       file_key as "fileKey", deleted_at as "deletedAt"
     from videos where user_id = $1 order by created_at, id`,
    [actor.id],
  )
  return rows
}
