import sql from 'sql-template-tag'
import { runningTimeout } from '~/lib/running-time'
import { seconds } from '~/lib/time'
import { isDuplicate } from '~/platform/db/duplicate'
import { ProviderError, type JobRef, type VideoProvider } from '~/platform/providers/port'
import { scheduleNextStep, runStep, type Writer } from './attempts.server'
import type { EngineCtx, HeldAttempt } from './context'
import { credentialOf, noteUse } from './credentials.server'
import { handleFault, toProviderError } from './faults.server'
import { findClosedGate, NO_CLOSED_GATE, openGates } from './gates.server'
import type { Hold } from './leases'
import { orderOf } from './orders'
import { throughOutage } from './outage'
import { requeueAttempt } from './settle.server'

/** How long a provider may take to answer a submit before the answer counts as lost. */
const SUBMIT_TIMEOUT_MS = seconds(60)
/**
 * How old an intent (the committed claim) may be when its order goes out. The rest of the lease
 * (LEASE_MS) is for a process that stands still between the last check and the first byte.
 */
const INTENT_MS = seconds(8)
/** An order arrives at most this long after it was started, and not after its answer. */
const ARRIVES_WITHIN_MS = seconds(1)
/** A fault of ours before anything was sent: it says nothing against the video. */
const UNPREPARED = { afterMs: seconds(30), endsAs: 'abandoned', reason: 'transient' } as const
/** First look at an order that has just been taken. */
const firstPollMs = ({ can }: VideoProvider, timeScale: number) =>
  Math.min(25_000, can.expectedMs / 4) * timeScale

/**
 * Sends one attempt's order. The intent is committed before the call and the answer after it. A
 * process that dies in between leaves the attempt `submitting`, and its order is never sent again.
 * Nothing is sent when the intent has grown old, or when a gate was closed after the attempt was made.
 */
export async function submitAttempt(ctx: EngineCtx, attemptId: string): Promise<void> {
  const { can } = ctx.provider
  const step = {
    attemptId,
    from: 'queued',
    to: 'submitting',
    patienceMs: SUBMIT_TIMEOUT_MS + seconds(15),
    and: NO_CLOSED_GATE,
    set: sql`sent_at = engine_now(),
      deadline_at = engine_now() + ${can.deadlineMs}::float * interval '1 millisecond'`,
  } as const
  for (;;) {
    const isSent = await runStep(ctx, step, (attempt, hold) =>
      send(ctx, { ...attempt, sender: true }, hold),
    )
    const gate = isSent ? undefined : await findClosedGate(ctx.db, attemptId)
    if (!gate) return
    const { reason, waitMs } = gate
    if (reason !== null) return backIntoLine(ctx, attemptId, { reason, waitMs })
    // The gate was opened in between: try again.
  }
}

type Closed = { reason: string; waitMs: number }

/** The attempt met a gate that was closed after it was made: its video waits in the line. */
async function backIntoLine(ctx: EngineCtx, attemptId: string, { reason, waitMs }: Closed) {
  await runStep(ctx, { attemptId, from: 'queued', patienceMs: seconds(15) }, (attempt) =>
    requeueAttempt(ctx, attempt, { afterMs: waitMs, endsAs: 'abandoned', reason }),
  )
}

async function send(ctx: EngineCtx, attempt: HeldAttempt & Writer, hold: Hold): Promise<void> {
  let startedAt: number | undefined
  let isTooLate = false
  const mayStart = () => {
    isTooLate = performance.now() - hold.askedAt > INTENT_MS
    if (!isTooLate) startedAt = performance.now()
    return !isTooLate
  }
  try {
    const ref = await ctx.provider.submit(
      orderOf(attempt, ctx.provider, ctx.settings.clipSeconds),
      credentialOf(ctx, attempt),
      {
        attemptId: attempt.id,
        // Not cut short when the worker stops: a lost answer costs more than a few seconds.
        signal: runningTimeout(SUBMIT_TIMEOUT_MS),
        mayStart,
        lane: attempt.lane,
      },
    )
    const answeredAt = performance.now()
    const arrivedBy = Math.min(answeredAt, (startedAt ?? answeredAt) + ARRIVES_WITHIN_MS)
    await throughOutage(
      () => recordOrder(ctx, attempt, { ref, agoMs: performance.now() - arrivedBy }),
      hold,
    )
  } catch (thrown) {
    if (startedAt === undefined && !(thrown instanceof ProviderError)) {
      ctx.log.error({ attemptId: attempt.id, err: thrown }, 'an order could not be prepared')
      return requeueAttempt(ctx, attempt, UNPREPARED)
    }
    const error = toProviderError(thrown)
    await throughOutage(
      () =>
        isTooLate
          ? requeueAttempt(ctx, attempt, { afterMs: 0, endsAs: 'abandoned', reason: 'transient' })
          : handleFault(ctx, { attempt, phase: 'submit', error }),
      hold,
    )
  }
}

export type Taken = {
  ref: JobRef
  /** The provider had the order at least so many milliseconds ago. */
  agoMs: number
}

/**
 * Stores the order's reference and schedules the first poll, together. Throws a ProviderError when
 * the order belongs to another attempt: then this attempt's own answer counts as lost.
 */
export async function recordOrder(
  ctx: EngineCtx,
  attempt: HeldAttempt & Writer,
  { ref, agoMs }: Taken,
): Promise<void> {
  try {
    const isMine = await scheduleNextStep(ctx, attempt, {
      job: 'videos.poll',
      afterMs: firstPollMs(ctx.provider, ctx.settings.providerTimeScale),
      set: sql`state = 'submitted', ref = ${JSON.stringify(ref)}::jsonb,
        account_scope = ${ref.accountScope}, step_tries = 0,
        sent_by = engine_now() - ${agoMs}::float * interval '1 millisecond'`,
      also: sql`${openGates(ref.accountScope)}${noteUse(attempt.credentialId)}`,
    })
    if (!isMine) await noteOrphan(ctx, attempt, ref)
  } catch (error) {
    if (!isDuplicate(error, 'attempts_order_key')) throw error
    const message = `the provider gave the id of another order: ${ref.id}`
    throw new ProviderError({ kind: 'transient' }, 'accepted', { message })
  }
}

/** An order was taken for an attempt that was given up meanwhile: it stays on record as an orphan. */
async function noteOrphan(ctx: EngineCtx, { id, videoId }: HeldAttempt, ref: JobRef) {
  const isLate = await ctx.db.run(sql`
    update attempts set state = 'orphaned', ref = ${JSON.stringify(ref)}::jsonb
    where id = ${id} and state in ('abandoned', 'orphaned') and ref is null`)
  if (isLate) ctx.log.error({ attemptId: id, videoId }, 'an order was taken after it was given up')
}
