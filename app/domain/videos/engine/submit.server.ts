import sql from 'sql-template-tag'
import { runningTimeout } from '~/lib/running-time'
import { seconds } from '~/lib/time'
import { isDuplicate } from '~/platform/db/duplicate'
import {
  ProviderError,
  providerErrorOrThrow,
  type OrderRef,
  type VideoProvider,
  type VideoRequest,
} from '~/platform/providers/port'
import { scheduleNextStep, runStep, writeAttempt, writing, type Writer } from './attempts.server'
import type { EngineCtx, LeasedAttempt } from './context'
import { credentialOf, noteUse } from './credentials.server'
import { handleFault } from './faults.server'
import { noteAcceptance, subjectOf } from './breaker.server'
import { findClosedGate, NO_CLOSED_GATE, releaseAfterOpening } from './gates.server'
import { LEASE_MS, type RunningStep } from './leases'
import { orderOf } from './orders'
import { DamagedPicture, readPicture } from '../pictures.server'
import { FileMissing } from '~/platform/storage/port'
import { REPEATED_ID } from './policy'
import { throughOutage } from './outage'
import { failAttempt, lateCheck, ORPHAN_CHECK_MS, requeueAttempt } from './settle.server'

/** Timeout of a submit call. After it, the response counts as lost. */
const SUBMIT_TIMEOUT_MS = seconds(60)
/**
 * Maximum age of an intent when its order is sent. The rest of the lease (LEASE_MS) allows for a
 * process that is suspended between the last check and the first byte.
 */
const INTENT_MS = seconds(8)
/** An order arrives at most this long after it was started, and no later than its response. */
const ARRIVES_WITHIN_MS = seconds(1)
/**
 * Requeue after an internal error before anything was sent. It does not count against the video.
 */
const UNPREPARED = { afterMs: seconds(30), endsAs: 'abandoned', reason: 'transient' } as const
/** Delay before the first poll of an accepted order. */
const firstPollMs = ({ can }: VideoProvider, timeScale: number) =>
  Math.min(25_000, can.expectedMs / 4) * timeScale

/**
 * Sends one attempt's order. The intent is committed when the connection is open, just before the
 * order, and the response after it. If the process dies in between, the attempt stays `submitting` and
 * its order is never sent again; if it dies earlier, the attempt is still `queued` and another process
 * sends it. Nothing is sent if a gate was closed after the attempt was created.
 */
export async function submitAttempt(ctx: EngineCtx, attemptId: string): Promise<void> {
  const patienceMs = SUBMIT_TIMEOUT_MS + seconds(15)
  const step = { attemptId, from: 'queued', patienceMs, and: NO_CLOSED_GATE } as const
  const isClaimed = await runStep(ctx, step, (ofOrder, attempt, running) =>
    send(ofOrder, { ...attempt, sender: true }, running),
  )
  if (!isClaimed) await waitForGate(ctx, attemptId)
}

/** Requeues the video of an attempt that met a gate closed after the attempt was created. */
async function waitForGate(ctx: EngineCtx, attemptId: string): Promise<void> {
  const gate = await findClosedGate(ctx.db, attemptId)
  if (!gate) return
  const { reason, waitMs } = gate
  // The gate was opened in the meantime.
  if (reason === null) return submitAttempt(ctx, attemptId)
  await runStep(ctx, { attemptId, from: 'queued', patienceMs: seconds(15) }, (ofOrder, attempt) =>
    requeueAttempt(ofOrder, attempt, { afterMs: waitMs, endsAs: 'abandoned', reason }),
  )
}

/** Why an order was held back after its connection was open. */
type HeldBack = 'refused' | 'late' | 'unwritten'

/**
 * Commits the intent: from now on the order may have been sent. Returns why it must not be sent: the
 * attempt was withdrawn or a gate is closed (`refused`), the commit took too long, or it failed. An
 * adapter asks again if it repeats an order whose short-lived token was refused.
 */
async function commitIntent(
  ctx: EngineCtx,
  attempt: LeasedAttempt & Writer,
): Promise<HeldBack | undefined> {
  const askedAt = performance.now()
  try {
    const isWritten = await ctx.db.run(sql`
      ${writing(
        attempt,
        sql`state = 'submitting', sent_at = engine_now(),
        deadline_at = engine_now() + ${ctx.provider.can.deadlineMs}::float * interval '1 millisecond',
        due_at = engine_now() + ${LEASE_MS}::float * interval '1 millisecond'`,
      )} and state in ('queued', 'submitting') and ${NO_CLOSED_GATE}`)
    if (!isWritten) return 'refused'
    return performance.now() - askedAt > INTENT_MS ? 'late' : undefined
  } catch (error) {
    ctx.log.warn({ attemptId: attempt.id, err: error }, 'the intent of an order was not stored')
    return 'unwritten'
  }
}

async function send(
  ctx: EngineCtx,
  attempt: LeasedAttempt & Writer,
  running: RunningStep,
): Promise<void> {
  const order: { startedAt?: number; heldBack?: HeldBack } = {}
  const mayStart = async () => {
    const heldBack = await commitIntent(ctx, attempt)
    if (heldBack) order.heldBack = heldBack
    else order.startedAt = performance.now()
    return !heldBack
  }
  try {
    const ref = await ctx.provider.submit(
      await requestOf(ctx, attempt),
      credentialOf(ctx, attempt),
      {
        attemptId: attempt.id,
        // Not aborted when the worker stops: a lost response costs more than a few seconds of
        // waiting.
        signal: runningTimeout(SUBMIT_TIMEOUT_MS),
        mayStart,
        lane: attempt.lane,
      },
    )
    const answeredAt = performance.now()
    const arrivedBy = Math.min(answeredAt, (order.startedAt ?? answeredAt) + ARRIVES_WITHIN_MS)
    await throughOutage(
      () => recordOrder(ctx, attempt, { ref, agoMs: performance.now() - arrivedBy }),
      running,
    )
  } catch (thrown) {
    if (thrown instanceof FileMissing || thrown instanceof DamagedPicture) {
      ctx.log.error({ attemptId: attempt.id, err: thrown }, 'the picture of a video is lost')
      return failAttempt(ctx, attempt, 'unknown')
    }
    if (order.heldBack) return throughOutage(() => putBack(ctx, attempt, order.heldBack), running)
    if (order.startedAt === undefined && !(thrown instanceof ProviderError)) {
      ctx.log.error({ attemptId: attempt.id, err: thrown }, 'an order could not be prepared')
      return requeueAttempt(ctx, attempt, UNPREPARED)
    }
    const error = providerErrorOrThrow(thrown)
    await throughOutage(() => handleFault(ctx, { attempt, phase: 'submit', error }), running)
  }
}

/** Returns an attempt whose order was held back to the line, or to the gate that refused it. */
async function putBack(
  ctx: EngineCtx,
  attempt: LeasedAttempt & Writer,
  heldBack: HeldBack | undefined,
): Promise<void> {
  if (heldBack !== 'refused')
    return requeueAttempt(ctx, attempt, { afterMs: 0, endsAs: 'abandoned', reason: 'transient' })
  const released = sql`state = 'queued', lease_token = null, lease_holder = null, due_at = engine_now()`
  if (await writeAttempt(ctx.db, attempt, released)) await waitForGate(ctx, attempt.id)
}

/**
 * Builds the order of an attempt with its pictures, which are read now: a video without one would be another
 * one. Throws a ProviderError if the provider takes none, and the errors of `readPicture`.
 */
async function requestOf(
  { provider, settings, storage }: EngineCtx,
  attempt: LeasedAttempt,
): Promise<VideoRequest> {
  const request = orderOf(attempt, provider, settings.clipSeconds)
  const { pictureKey, pictureHash, endPictureKey, endPictureHash } = attempt
  if (pictureKey === null || pictureHash === null) return request
  const { takesPictures, takesEndPictures } = provider.can
  if (!takesPictures) throw refusedPicture('this provider takes no pictures')
  const picture = await readPicture(storage, { fileKey: pictureKey, sha256: pictureHash })
  if (endPictureKey === null || endPictureHash === null) return { ...request, picture }
  if (!takesEndPictures) throw refusedPicture('this provider takes no picture for the end')
  const end = { fileKey: endPictureKey, sha256: endPictureHash }
  return { ...request, picture, endPicture: await readPicture(storage, end) }
}

const refusedPicture = (message: string) =>
  new ProviderError({ kind: 'invalid-request', field: 'picture' }, 'not-sent', { message })

export type AcceptedOrder = {
  ref: OrderRef
  /** Milliseconds since the latest moment at which the order can have reached the provider. */
  agoMs: number
}

/**
 * Stores the order's reference and schedules the first poll atomically. Throws a ProviderError if
 * the order belongs to another attempt; this attempt's own response then counts as lost.
 */
export async function recordOrder(
  ctx: EngineCtx,
  attempt: LeasedAttempt & Writer,
  { ref, agoMs }: AcceptedOrder,
): Promise<void> {
  try {
    const isMine = await scheduleNextStep(ctx, attempt, {
      job: 'videos.poll',
      afterMs: firstPollMs(ctx.provider, ctx.settings.providerTimeScale),
      set: sql`state = 'submitted', ref = ${JSON.stringify(ref)}::jsonb,
        account_scope = ${ref.accountScope}, step_tries = 0,
        deadline_at = sent_at + ${ctx.provider.can.deadlineMs}::float * interval '1 millisecond',
        sent_by = engine_now() - ${agoMs}::float * interval '1 millisecond'`,
      also: sql`${noteAcceptance(ctx, { account: attempt.account, subject: subjectOf(attempt) })}${noteUse(attempt.credentialId, ctx.settings.timeZone)}`,
      columns: sql`, ${releaseAfterOpening(ctx.queue)}`,
    })
    if (!isMine) await noteOrphan(ctx, attempt, ref)
  } catch (error) {
    if (!isDuplicate(error, 'attempts_order_key')) throw error
    const message = `the provider gave the id of another order: ${ref.id}`
    throw new ProviderError({ kind: 'transient' }, 'accepted', { message, code: REPEATED_ID })
  }
}

/**
 * Marks a given-up attempt as an orphan, because its order was accepted after all. Its clip is looked
 * for like that of other orphans.
 */
async function noteOrphan(ctx: EngineCtx, { id, videoId }: LeasedAttempt, ref: OrderRef) {
  const isLate = await ctx.db.run(sql`
    with orphan as (
      update attempts set state = 'orphaned', ref = ${JSON.stringify(ref)}::jsonb
      where id = ${id} and state in ('abandoned', 'failed', 'orphaned') and ref is null returning id
    )
    select ${ctx.queue.adding([lateCheck(ctx, id, ORPHAN_CHECK_MS)])} from orphan`)
  if (isLate)
    ctx.log.error({ attemptId: id, videoId }, 'an order was accepted after being given up')
}
