import sql, { empty, type Sql } from 'sql-template-tag'
import { hours, minutes } from '~/lib/time'
import type { NewJob } from '~/platform/queue/port'
import { FAILURES_LOOKED_AT_LATE } from '../failure-facts'
import { DISPATCH_NOW, userCaps } from '../line.server'
import { FAILURE_TEXT, failureText } from '../rules'
import type { FailureClass, HoldReason } from '../types'
import { writing, type Writer } from './attempts.server'
import type { EngineCtx, LeasedAttempt } from './context'
import { noteEnd } from './credentials.server'
import { parseOrderRef } from './stored-json'

// Each attempt ends in one statement. It updates the attempt under its lease and passes the row to
// a database function, which makes all other changes in the lock order of docs/decisions/0013.

export type StoredFile = {
  fileKey: string
  posterKey: string | null
  bytes: number
  sha256: string
  crc32: number
  durationMs: number
}

/**
 * How long a replaced clip stays in the storage: archives and players that began with it read it to its
 * end.
 */
const OLD_CLIP_STAYS_MS = hours(1)

/** Delivers a stored clip: completes the video and charges its quota unit, exactly once. */
export async function completeAttempt(
  ctx: EngineCtx,
  attempt: LeasedAttempt,
  file: StoredFile,
): Promise<void> {
  const { db, queue, settings } = ctx
  const isEnded = await db.run(sql`
    with ended as (${ending(attempt, 'done')}), delivered as materialized (
      select outcome.* from ended
      cross join lateral complete_generation(ended.attempt, ${JSON.stringify(file)}::jsonb, ${userCaps}) as outcome
    )${noteEnd('delivered', settings.timeZone)}
    select case when cardinality(unused) > 0
        then ${queue.addingOne('videos.purge', sql`json_build_object('keys', unused)`, OLD_CLIP_STAYS_MS)} end,
      case when wakes_line then ${queue.adding([DISPATCH_NOW])} end
    from delivered`)
  if (isEnded) await forgetOrder(ctx, attempt)
}

/**
 * Tells the provider that the order is finished. A failure is only logged; `tidy` cleans up later.
 */
async function forgetOrder(
  { provider, log }: EngineCtx,
  { id, ref }: LeasedAttempt,
): Promise<void> {
  if (!provider.forget || ref === null) return
  try {
    await provider.forget(parseOrderRef(ref))
  } catch (error) {
    log.warn({ attemptId: id, err: error }, 'could not remove a finished order at the provider')
  }
}

/**
 * Ends a generation without a clip. The quota unit is returned and an earlier clip stays (decision
 * Q-23).
 */
export async function failAttempt(
  ctx: EngineCtx,
  attempt: LeasedAttempt & Writer,
  as: FailureClass,
): Promise<void> {
  const { db, queue, settings } = ctx
  const { plain, withPicture } = failureText(as)
  const mayStillFinish =
    FAILURES_LOOKED_AT_LATE.includes(as) && !attempt.late && isSeenLate(ctx, attempt)
  // The video of a late attempt has already failed, so `fail_generation` is skipped.
  const isEnded = await db.run(sql`
    with ended as (${ending(attempt, 'failed')}), failed as materialized (
      select fail_generation(ended.attempt, ${as}, case
          when exists (select 1 from video_pictures where video_id = (ended.attempt).video_id)
          then ${withPicture} else ${plain} end, ${userCaps}) as wakes_line
      from ended where not (ended.attempt).late
    )${noteEnd('failed', settings.timeZone)}
    select case when wakes_line then ${queue.adding([DISPATCH_NOW])} end,
      case when ${mayStillFinish}::boolean then ${queue.adding([lateCheck(ctx, attempt.id)])} end
    from ended left join failed on true`)
  if (isEnded) await forgetOrder(ctx, attempt)
}

const LATE_CHECK_MS = minutes(10)
/** A clip that turns up while its video waits again saves another order. */
export const ORPHAN_CHECK_MS = minutes(1)

/**
 * Returns the delayed job that asks for an order again after it was given up, as it may be paid for.
 */
export const lateCheck = (
  { settings }: EngineCtx,
  attemptId: string,
  afterMs = LATE_CHECK_MS,
): NewJob => ({
  name: 'videos.check-late',
  payload: { attemptId },
  delayMs: afterMs * settings.providerTimeScale,
})

/** Whether an order can be asked for after its end: by its id, or by the place of its clip. */
const isSeenLate = ({ provider }: EngineCtx, { ref, sentAt }: LeasedAttempt): boolean =>
  ref !== null || (sentAt !== null && provider.can.recover === 'output-prefix')

type Requeue = {
  afterMs: number
  /** `failed` counts against the video. A busy provider or a dead token does not. */
  endsAs: 'failed' | 'abandoned' | 'orphaned'
  reason: HoldReason
}

/**
 * Puts the video back into the line after an order without a result, or lets it await a round if
 * the next round did not wait for this result. If the work was cancelled or deleted, or its user
 * disabled in the meantime, it ends here and nothing new is sent for it.
 */
export async function requeueAttempt(
  ctx: EngineCtx,
  attempt: LeasedAttempt & Writer,
  { afterMs, endsAs, reason }: Requeue,
): Promise<void> {
  // The video of a late attempt has already failed and its unit was returned, so it is not ordered
  // again.
  if (attempt.late) return failAttempt(ctx, attempt, 'unknown')
  const { db, queue, settings } = ctx
  const wakeLater: NewJob = { name: 'videos.dispatch', payload: {}, delayMs: afterMs }
  // While this video waits, another one may take its place. An accepted order may have been paid for
  // nothing, so the next one waits too.
  const wakes = afterMs > 0 && attempt.ref === null ? [DISPATCH_NOW, wakeLater] : [wakeLater]
  const mayTurnUp = endsAs === 'orphaned' && isSeenLate(ctx, attempt)
  const isEnded = await db.run(sql`
    with ended as (${ending(attempt, endsAs)}), outcome as materialized (
      select back.*, (ended.attempt).batch_id from ended
      cross join lateral requeue_generation(ended.attempt, ${afterMs}::float, ${reason},
        ${FAILURE_TEXT.cancelled}, ${userCaps}) as back
    )${endsAs === 'abandoned' ? empty : noteEnd('failed', settings.timeZone)}
    select case when is_back then ${queue.adding(wakes)} end,
      case when wakes_line then ${queue.adding([DISPATCH_NOW])} end,
      case when ${mayTurnUp}::boolean then ${queue.adding([lateCheck(ctx, attempt.id, ORPHAN_CHECK_MS)])} end,
      case when revived_round is not null then ${queue.addingOne(
        'batches.round',
        sql`json_build_object('batchId', batch_id, 'roundNo', revived_round)`,
      )} end
    from outcome`)
  if (isEnded) await forgetOrder(ctx, attempt)
}

/**
 * Writes off an order that may have been accepted but was never found. The attempt becomes an orphan,
 * which administrators see. A generation may have one orphan; at the second the video fails.
 */
export async function writeOffOrder(ctx: EngineCtx, attempt: LeasedAttempt): Promise<void> {
  const { videoId, generation } = attempt
  const earlier = await ctx.db.row(sql`
    select 1 from attempts
    where video_id = ${videoId} and generation = ${generation} and state = 'orphaned'`)
  if (earlier) return failAttempt(ctx, attempt, 'unknown')
  ctx.log.error({ attemptId: attempt.id, videoId }, 'an order was lost; it may have been paid for')
  await requeueAttempt(ctx, attempt, { afterMs: 0, endsAs: 'orphaned', reason: 'transient' })
}

type End = 'done' | 'failed' | 'abandoned' | 'orphaned'

/**
 * Ends the attempt under its lease and returns its row as `attempt`, or no row if the lease was
 * lost.
 */
const ending = (attempt: Writer, state: End): Sql => sql`
  ${writing(attempt, sql`state = ${state}::attempt_state, settled_at = engine_now(), still = null`)}
  returning attempts as attempt`
