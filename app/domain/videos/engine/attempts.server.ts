import { randomUUID } from 'node:crypto'
import sql, { empty, type Sql } from 'sql-template-tag'
import { seconds } from '~/lib/time'
import type { Executor } from '~/platform/db/port'
import { SHARED_COLUMNS, SHARED_FIELDS } from '../order-columns.server'
import type { AttemptState } from '../types'
import type { EngineCtx, LeasedAttempt } from './context'
import {
  accountOf,
  askingToken,
  orderingToken,
  TOKEN_COLUMNS,
  tokenIn,
  type TokenRow,
} from './credentials.server'
import { LEASE_MS, type Lease, type RunningStep } from './leases'
import { throughOutage } from './outage'
import { boundTo, providerOf, sharersOf } from '../../providers.server'

/** The states of an attempt that is in progress, as a list for `state in (…)`. */
export const ACTIVE = sql`'queued', 'submitting', 'submitted', 'fetching', 'unknown'`

/**
 * Condition under which the next step of an attempt may start: `due_at` has passed. While a step
 * runs, `due_at` is the end of its lease, so a due attempt has no running step. The one-second
 * tolerance covers rounding (the column stores milliseconds, the queue microseconds) and a clock
 * that was set back.
 */
export const IS_DUE = sql`due_at <= engine_now() + interval '1 second'`

/** Delay before a step that failed because of an internal error is retried. */
const AFTER_ERROR_MS = seconds(2)

type Step = {
  attemptId: string
  from: AttemptState
  and?: Sql
  /** A step that makes no progress for longer than this loses its lease. */
  patienceMs: number
}

/**
 * Claims a due attempt that is in state `from` and runs `work` under its lease, in the context of the
 * attempt's provider. Returns false if the attempt cannot be claimed because another process has leased it
 * or has moved it to another state. An error thrown by `work` is rethrown after the lease has been released.
 */
export async function runStep(
  ctx: EngineCtx,
  step: Step,
  work: (ofOrder: EngineCtx, attempt: LeasedAttempt, running: RunningStep) => Promise<void>,
): Promise<boolean> {
  const leaseToken = randomUUID()
  let askedAt = performance.now()
  // Retries use the same token, so a claim that was committed but whose response was lost is found.
  const attempt = await throughOutage(() => {
    askedAt = performance.now()
    return claimAttempt(ctx, step, leaseToken)
  })
  if (!attempt) return false
  const { videoId, batchId, requestId } = attempt
  // Adds the video, batch and request ids to all further log lines of this job.
  ctx.log.setBindings({ attemptId: step.attemptId, videoId, batchId, requestId })
  const running = ctx.leases.start(attempt, { ...step, askedAt })
  try {
    await work(
      boundTo(ctx, providerOf(ctx, attempt.provider, attempt.accountScope)),
      attempt,
      running,
    )
  } catch (error) {
    await giveBack(ctx, attempt)
    throw error
  } finally {
    running.release()
  }
  return true
}

async function claimAttempt(
  ctx: EngineCtx,
  step: Step,
  leaseToken: string,
): Promise<LeasedAttempt | undefined> {
  const { attemptId, from, and = sql`true` } = step
  const token =
    from === 'queued' ? orderingToken(sql`claimed`) : askingToken(sql`claimed`, sharersOf(ctx))
  const row = await ctx.db.row<Omit<LeasedAttempt, 'credential' | 'leaseToken'> & TokenRow>(sql`
    with claimed as (
      update attempts set lease_token = ${leaseToken}::uuid, lease_holder = ${ctx.leases.holder}::uuid,
        due_at = engine_now() + ${LEASE_MS}::float * interval '1 millisecond'
      from videos
      where attempts.id = ${attemptId} and videos.id = attempts.video_id
        and attempts.state = ${from}::attempt_state
        and ((${IS_DUE} and ${and}) or lease_token = ${leaseToken}::uuid)
      returning attempts.*, prompt, ${SHARED_COLUMNS}, seed, request_id
    )
    select claimed.id, video_id as "videoId", generation,
      user_id as "userId", lane, batch_id as "batchId", credential_id as "credentialId",
      claimed.provider, claimed.account_scope as "accountScope", ${accountOf(sql`claimed`)} as account, step_tries as "stepTries", claimed.fault as "lastFault",
      fetch_tries as "fetchTries", gone_tries as "goneTries",
      (select count(*)::int from attempts as earlier
        where earlier.video_id = claimed.video_id and earlier.generation = claimed.generation
          and earlier.state = 'failed') as "failedAttempts",
      (select count(*)::int from attempts as earlier
        where earlier.video_id = claimed.video_id and earlier.generation = claimed.generation
          and earlier.state = 'abandoned' and earlier.lost_at is not null) as "lostAttempts",
      sent_at as "sentAt", ${msSince(sql`sent_at`)} as "ageMs", ${msSince(sql`lost_at`)} as "lostMs",
      acceptance is not distinct from 'accepted' as "isAccepted",
      deadline_at < engine_now() as overdue, late, prompt, ${SHARED_FIELDS}, seed,
      ref, asset, request_id as "requestId",
      picture.file_key as "pictureKey", picture.sha256 as "pictureHash",
      end_picture.file_key as "endPictureKey", end_picture.sha256 as "endPictureHash",
      ${TOKEN_COLUMNS}
    from claimed left join video_pictures as link using (video_id)
      left join order_pictures as picture on picture.id = link.picture_id
      left join order_pictures as end_picture on end_picture.id = link.end_picture_id
      left join lateral (${token}) as token on true`)
  return row && { ...row, leaseToken, credential: tokenIn(row) }
}

const msSince = (column: Sql) => sql`extract(epoch from engine_now() - ${column})::float * 1000`

/**
 * Releases the lease of a step that failed because of an internal error, so that the step is
 * retried soon. A `submitting` attempt keeps its lease and becomes `unknown` when the lease
 * expires.
 */
async function giveBack(ctx: EngineCtx, { id, leaseToken }: Lease): Promise<void> {
  try {
    await ctx.db.run(sql`
      update attempts set lease_holder = null,
        due_at = engine_now() + ${AFTER_ERROR_MS}::float * interval '1 millisecond'
      where id = ${id} and lease_token = ${leaseToken}::uuid and lease_holder is not null
        and state in ('queued', 'submitted', 'fetching', 'unknown')`)
  } catch (error) {
    ctx.log.warn({ attemptId: id, err: error }, 'could not release a lease; it will expire')
  }
}

/**
 * Condition for writing to an attempt: the writer has its lease. The process that sent the order
 * may also store the provider's response after it lost its lease, because no other process knows
 * that response.
 */
const mayWrite = ({ id, leaseToken, sender = false }: Writer): Sql => sql`id = ${id}
  and ((lease_token = ${leaseToken}::uuid and state in (${ACTIVE})) or (${sender}::boolean and state = 'unknown'))`

export type Writer = Lease & { sender?: boolean }

/**
 * Builds an update of an attempt, as part of a larger statement. It has no effect without the
 * lease.
 */
export const writing = (attempt: Writer, set: Sql): Sql =>
  sql`update attempts set ${set} where ${mayWrite(attempt)}`

/** Updates an attempt under its lease. Returns false if the lease was lost. */
export async function writeAttempt(db: Executor, attempt: Writer, set: Sql): Promise<boolean> {
  return (await db.run(writing(attempt, set))) > 0
}

type NextStep = {
  job: 'videos.poll' | 'videos.fetch' | 'videos.recover'
  afterMs: number
  set: Sql
  /** Further common table expressions, each preceded by a comma. They may read `written`. */
  also?: Sql
  /** Further columns, each preceded by a comma. They may read those expressions. */
  columns?: Sql
}

/**
 * Updates an attempt, releases its lease and adds the wake-up of the next step atomically. Returns
 * false if the lease was lost. This is a single statement without an explicit transaction because
 * it runs several times per video.
 */
export async function scheduleNextStep(
  { db, queue }: Pick<EngineCtx, 'db' | 'queue'>,
  attempt: Writer,
  { job, afterMs, set, also = empty, columns = empty }: NextStep,
): Promise<boolean> {
  const next = { name: job, payload: { attemptId: attempt.id }, delayMs: afterMs }
  const moved = await db.row(sql`
    with written as (
      update attempts set ${set}, lease_token = null, lease_holder = null,
        due_at = engine_now() + ${afterMs}::float * interval '1 millisecond'
      where ${mayWrite(attempt)} returning id, created_at
    )${also}
    select ${queue.adding([next])}${columns} from written`)
  return moved !== undefined
}
