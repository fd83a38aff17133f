import { startBatch } from '../../../app/domain/batches/start-batch.server'
import type { UserCtx } from '../../../app/domain/context'
import { isAppError, type ErrorCode } from '../../../app/domain/errors'
import { generateVideo } from '../../../app/domain/videos/requests/generate-video.server'
import type { Db } from '../../../app/platform/db/port'
import type { Engine } from './engine'

/** What users do, in one line each. */

const shape = { aspectRatio: 'portrait', negativePrompt: null } as const

export const prompts = (count: number, word = 'prompt'): string[] =>
  Array.from({ length: count }, (_, i) => `${word} ${i + 1}`)

type Accepted = {
  /** Videos and batches that somebody was told of, and whose they are. */
  videos: Map<string, string>
  batches: Map<string, { userId: string; total: number }>
}
const accepted = new WeakMap<Db, Accepted>()

/** What was accepted over a database, as its clients saw it: the judge of I1. */
export function acceptedFrom(db: Db): Accepted {
  const known = accepted.get(db) ?? { videos: new Map(), batches: new Map() }
  accepted.set(db, known)
  return known
}

export async function generate(user: UserCtx, prompt = 'a kite', key?: string) {
  const answer = await generateVideo(user, { ...shape, prompt }, key)
  acceptedFrom(user.db).videos.set(answer.id, user.actor.id)
  return answer
}

export async function bulk(user: UserCtx, count: number, key?: string) {
  const answer = await startBatch(user, { ...shape, prompts: prompts(count) }, key)
  acceptedFrom(user.db).batches.set(answer.batchId, { userId: user.actor.id, total: count })
  return answer
}

/** The answer, or the code of the refusal; what is no refusal goes up. */
export async function attempt<T>(run: () => Promise<T>): Promise<T | ErrorCode> {
  try {
    return await run()
  } catch (error) {
    if (isAppError(error)) return error.code
    throw error
  }
}

type Quota = { used: number; reserved: number; charged: number; lines: Record<string, number> }

/** A user's counters of today, and their ledger by state. */
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

/** A user's videos in the order of their acceptance, deleted ones too. */
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
