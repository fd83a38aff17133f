import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { JobRef, VideoProvider } from '~/platform/providers/port'
import { claimAttempt, goOn } from './attempts.server'
import type { EngineCtx, HeldAttempt } from './context'
import { credentialForSubmit, noteUse } from './credentials.server'
import { handleFault, toProviderError } from './faults.server'
import { openGates } from './gates.server'
import { orderOf } from './orders'
import { throughOutage } from './outage'

/** How long a provider may take to answer a submit before the answer counts as lost. */
const SUBMIT_TIMEOUT_MS = 60_000
/** First look at an order that has just been taken. */
const firstPollMs = ({ can }: VideoProvider, timeScale: number) =>
  Math.min(25_000, can.expectedMs / 4) * timeScale

/**
 * Sends one attempt's order: the intent is committed before the call, the answer after it. A worker
 * that dies in between leaves `submitting`, which is never sent again (see leases.server.ts); one
 * whose database is away for a moment keeps what it knows until it can be written down.
 */
export async function submitAttempt(ctx: EngineCtx, attemptId: string): Promise<void> {
  const leaseToken = randomUUID()
  const attempt = await throughOutage(() =>
    claimAttempt(ctx, {
      attemptId,
      from: 'queued',
      to: 'submitting',
      leaseToken,
      set: sql`sent_at = engine_now(), due_at = engine_now() + ${SUBMIT_TIMEOUT_MS}::float * interval '1 millisecond'`,
    }),
  )
  if (!attempt) return
  try {
    const ref = await sendOrder(ctx, attempt)
    await throughOutage(() => recordOrder(ctx, attempt, ref))
  } catch (thrown) {
    const error = toProviderError(thrown)
    await throughOutage(() => handleFault(ctx, { attempt, phase: 'submit', error }))
  }
}

async function sendOrder(ctx: EngineCtx, attempt: HeldAttempt): Promise<JobRef> {
  const { provider, settings } = ctx
  const credential = await throughOutage(() => credentialForSubmit(ctx, attempt))
  return provider.submit(orderOf(attempt, provider, settings.clipSeconds), credential, {
    attemptId: attempt.id,
    // Not cut short when the worker stops: a lost answer costs more than a few seconds.
    signal: AbortSignal.timeout(SUBMIT_TIMEOUT_MS),
  })
}

/** Stores the order's reference and schedules the first poll, together. */
export async function recordOrder(
  ctx: EngineCtx,
  attempt: HeldAttempt,
  ref: JobRef,
): Promise<void> {
  await goOn(ctx, attempt, {
    job: 'videos.poll',
    afterMs: firstPollMs(ctx.provider, ctx.settings.providerTimeScale),
    set: sql`state = 'submitted', ref = ${JSON.stringify(ref)}::jsonb,
      account_scope = ${ref.accountScope}, step_tries = 0`,
    also: sql`${openGates(ref.accountScope)}${noteUse(attempt.credentialId)}`,
  })
}
