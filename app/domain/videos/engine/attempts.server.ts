import { randomUUID } from 'node:crypto'
import sql, { empty, type Sql } from 'sql-template-tag'
import { seconds } from '~/lib/time'
import type { Executor } from '~/platform/db/port'
import type { AttemptState } from '../types'
import type { EngineCtx, HeldAttempt } from './context'
import {
  askingToken,
  orderingToken,
  TOKEN_COLUMNS,
  tokenIn,
  type TokenRow,
} from './credentials.server'
import { LEASE_MS, type Hold, type Lease } from './leases'
import { throughOutage } from './outage'

/** The states of an attempt that is under way, as a list for `state in (…)`. */
export const ACTIVE = sql`'queued', 'submitting', 'submitted', 'fetching', 'unknown'`

/**
 * Whether the next step of an attempt may start: its time has come and nobody runs one, because while
 * a step runs, `due_at` is the end of its lease. The second of slack is for rounding (the column has
 * milliseconds, the queue microseconds) and for a clock that was set back.
 */
export const IS_DUE = sql`due_at <= engine_now() + interval '1 second'`

/** How soon a step that failed for a reason of ours is tried again. */
const AFTER_ERROR_MS = seconds(2)

type Step = {
  attemptId: string
  from: AttemptState
  to?: AttemptState
  and?: Sql
  set?: Sql
  /** A step that makes no progress for longer than that loses its lease. */
  patienceMs: number
}

/**
 * Claims an attempt that is in state `from` and due, moves it to `to` and runs `work` under its
 * lease. Answers false when there was nothing to claim: another process holds it or has moved it on.
 * An error of `work` goes up after the lease has been ended.
 */
export async function runStep(
  ctx: EngineCtx,
  step: Step,
  work: (attempt: HeldAttempt, hold: Hold) => Promise<void>,
): Promise<boolean> {
  const leaseToken = randomUUID()
  let askedAt = performance.now()
  // Repeated under the same token: a claim whose answer was lost is found again.
  const attempt = await throughOutage(() => {
    askedAt = performance.now()
    return claimAttempt(ctx, step, leaseToken)
  })
  if (!attempt) return false
  const { videoId, batchId, requestId } = attempt
  // For the rest of the job: what its lines are about, and who ordered it.
  ctx.log.setBindings({ attemptId: step.attemptId, videoId, batchId, requestId })
  const hold = ctx.leases.hold(attempt, { ...step, askedAt })
  try {
    await work(attempt, hold)
  } catch (error) {
    await giveBack(ctx, attempt)
    throw error
  } finally {
    hold.release()
  }
  return true
}

async function claimAttempt(
  ctx: EngineCtx,
  step: Step,
  leaseToken: string,
): Promise<HeldAttempt | undefined> {
  const { attemptId, from, to = from } = step
  const { and = sql`true`, set = sql`step_tries = step_tries` } = step
  const token = to === 'submitting' ? orderingToken : askingToken
  const row = await ctx.db.row<Omit<HeldAttempt, 'credential' | 'leaseToken'> & TokenRow>(sql`
    with claimed as (
      update attempts set state = ${to}::attempt_state, lease_token = ${leaseToken}::uuid,
        lease_holder = ${ctx.leases.holder}::uuid,
        due_at = engine_now() + ${LEASE_MS}::float * interval '1 millisecond', ${set}
      from videos
      where attempts.id = ${attemptId} and videos.id = attempts.video_id
        and ((attempts.state = ${from}::attempt_state and ${IS_DUE} and ${and})
          or (attempts.state = ${to}::attempt_state and lease_token = ${leaseToken}::uuid))
      returning attempts.*, prompt, negative_prompt, aspect_ratio, seed, request_id
    )
    select claimed.id, video_id as "videoId", generation,
      user_id as "userId", lane, batch_id as "batchId", credential_id as "credentialId",
      claimed.account_scope as "accountScope", step_tries as "stepTries", fetch_tries as "fetchTries",
      (select count(*)::int from attempts as earlier
        where earlier.video_id = claimed.video_id and earlier.generation = claimed.generation
          and earlier.state = 'failed') as "failedAttempts",
      (select count(*)::int from attempts as earlier
        where earlier.video_id = claimed.video_id and earlier.generation = claimed.generation
          and earlier.state = 'abandoned' and earlier.lost_at is not null) as "lostAttempts",
      sent_at as "sentAt", ${msSince(sql`sent_at`)} as "ageMs", ${msSince(sql`lost_at`)} as "lostMs",
      acceptance is not distinct from 'accepted' as "isTaken",
      deadline_at < engine_now() as overdue, late, prompt, negative_prompt as "negativePrompt",
      aspect_ratio as "aspectRatio", seed, ref, asset, request_id as "requestId",
      ${TOKEN_COLUMNS}
    from claimed left join lateral (${token(sql`claimed`)}) as token on true`)
  return row && { ...row, leaseToken, credential: tokenIn(row) }
}

const msSince = (column: Sql) => sql`extract(epoch from engine_now() - ${column})::float * 1000`

/**
 * Ends the lease of a step that failed for a reason of ours, so that it is tried again soon. A
 * `submitting` attempt keeps its lease; when that is over it becomes `unknown`.
 */
async function giveBack(ctx: EngineCtx, { id, leaseToken }: Lease): Promise<void> {
  try {
    await ctx.db.run(sql`
      update attempts set lease_holder = null,
        due_at = engine_now() + ${AFTER_ERROR_MS}::float * interval '1 millisecond'
      where id = ${id} and lease_token = ${leaseToken}::uuid and lease_holder is not null
        and state in ('submitted', 'fetching', 'unknown')`)
  } catch (error) {
    ctx.log.warn({ attemptId: id, err: error }, 'an attempt keeps its lease until that ends')
  }
}

/**
 * Who may write to an attempt: the holder of its lease. The process that sent the order may also
 * store the provider's answer after it lost its lease, because no other process knows that answer.
 */
const mayWrite = ({ id, leaseToken, sender = false }: Writer): Sql => sql`id = ${id}
  and ((lease_token = ${leaseToken}::uuid and state in (${ACTIVE})) or (${sender}::boolean and state = 'unknown'))`

export type Writer = Lease & { sender?: boolean }

/** An update of an attempt that has an effect only under its lease, as part of a larger statement. */
export const writing = (attempt: Writer, set: Sql): Sql =>
  sql`update attempts set ${set} where ${mayWrite(attempt)}`

/** Writes to an attempt while the lease holds; false when it was lost. */
export async function writeAttempt(db: Executor, attempt: Writer, set: Sql): Promise<boolean> {
  return (await db.run(writing(attempt, set))) > 0
}

type NextStep = {
  job: 'videos.poll' | 'videos.fetch' | 'videos.recover'
  afterMs: number
  set: Sql
  /** Further common table expressions, each with a comma before it. They may read `written`. */
  also?: Sql
}

/**
 * Writes to an attempt, ends its lease and adds the wake-up of the next step, all or nothing; false
 * when the lease was lost. It is one statement without a transaction around it, because it runs
 * several times for each video.
 */
export async function scheduleNextStep(
  { db, queue }: Pick<EngineCtx, 'db' | 'queue'>,
  attempt: Writer,
  { job, afterMs, set, also = empty }: NextStep,
): Promise<boolean> {
  const next = { name: job, payload: { attemptId: attempt.id }, delayMs: afterMs }
  const moved = await db.row(sql`
    with written as (
      update attempts set ${set}, lease_token = null, lease_holder = null,
        due_at = engine_now() + ${afterMs}::float * interval '1 millisecond'
      where ${mayWrite(attempt)} returning id
    )${also}
    select ${queue.adding([next])} from written`)
  return moved !== undefined
}
