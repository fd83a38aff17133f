import { randomUUID } from 'node:crypto'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import type { AttemptState } from '../types'
import type { EngineCtx, HeldAttempt } from './context'

type Claim = {
  attemptId: string
  from: AttemptState
  to?: AttemptState
  and?: Sql
  set?: Sql
  /** For a claim that is made again where its answer was lost; else each has a new one. */
  leaseToken?: string
}

/**
 * Takes an attempt in state `from` for this worker and moves it to `to`. Whoever claimed it before
 * can no longer write its outcome. Undefined when it is not in that state: somebody else has moved
 * it on, and there is nothing to do.
 */
export async function claimAttempt(ctx: EngineCtx, claim: Claim): Promise<HeldAttempt | undefined> {
  const { attemptId, from, to = from, leaseToken = randomUUID() } = claim
  const { and = sql`true`, set = sql`step_tries = step_tries` } = claim
  return ctx.db.row<HeldAttempt>(sql`
    update attempts set state = ${to}::attempt_state, lease_token = ${leaseToken}::uuid,
      lease_pool = ${ctx.poolId}, ${set}
    from videos
    where attempts.id = ${attemptId} and (attempts.state = ${from}::attempt_state
        or (attempts.state = ${to}::attempt_state and lease_token = ${leaseToken}::uuid))
      and videos.id = attempts.video_id and ${and}
    returning attempts.id, lease_token as "leaseToken", video_id as "videoId", attempts.generation,
      attempts.user_id as "userId", lane, attempts.batch_id as "batchId",
      attempts.credential_id as "credentialId", account_scope as "accountScope", step_tries as "stepTries",
      (select count(*)::int from attempts as earlier
        where earlier.video_id = attempts.video_id and earlier.generation = attempts.generation
          and earlier.state = 'failed') as "failedAttempts",
      sent_at as "sentAt", extract(epoch from engine_now() - sent_at)::float * 1000 as "ageMs", deadline_at < engine_now() as overdue,
      late,
      prompt, negative_prompt as "negativePrompt", aspect_ratio as "aspectRatio", seed, ref, asset`)
}

/**
 * Whether a step's time has come. A job that comes too early is dropped, so time gets some slack: the
 * column rounds up to half a millisecond, which the queue does not and a quick worker notices, and
 * the clock may have been set back since the queue let the job go.
 */
export const isDue = sql`due_at <= engine_now() + interval '1 second'`

type Lease = Pick<HeldAttempt, 'id' | 'leaseToken'>

/** States in which a worker holds an attempt. */
export const HELD = sql`'submitting', 'submitted', 'fetching', 'unknown'`

const underLease = ({
  id,
  leaseToken,
}: Lease) => sql`id = ${id} and lease_token = ${leaseToken}::uuid
  and state in (${HELD})`

/** Writes to an attempt while the lease holds; false when it was lost. */
export async function writeAttempt(db: Executor, attempt: Lease, set: Sql): Promise<boolean> {
  return (await db.run(sql`update attempts set ${set} where ${underLease(attempt)}`)) > 0
}

type NextStep = {
  job: 'videos.poll' | 'videos.fetch' | 'videos.recover'
  afterMs: number
  set: Sql
  /** Further parts of the statement, each with its comma: they see the row that was `written`. */
  also?: Sql
}

/**
 * Writes to an attempt and adds the job that takes it on, both or nothing; false when the lease was
 * lost. Nobody holds it from then on, so the death of this worker no longer concerns it. One
 * statement and no transaction around it: it happens several times in each video's life.
 */
export async function goOn(
  { db, queue }: Pick<EngineCtx, 'db' | 'queue'>,
  attempt: Lease,
  { job, afterMs, set, also = empty }: NextStep,
): Promise<boolean> {
  const next = { name: job, payload: { attemptId: attempt.id }, delayMs: afterMs }
  const moved = await db.row(sql`
    with written as (
      update attempts set ${set}, lease_pool = null, due_at = engine_now() + ${afterMs}::float * interval '1 millisecond'
      where ${underLease(attempt)} returning id
    )${also}
    select 1 from written cross join lateral (${queue.adding([next])}) as added`)
  return moved !== undefined
}
