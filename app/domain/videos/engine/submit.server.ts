import sql from 'sql-template-tag'
import type { JobRef, VideoProvider } from '~/platform/providers/port'
import { claimAttempt, goOn } from './attempts.server'
import type { EngineCtx, HeldAttempt } from './context'
import { credentialForSubmit, noteUse } from './credentials.server'
import { handleFault, toProviderError } from './faults.server'
import { openGates } from './gates.server'
import { orderOf } from './orders'

/** How long a provider may take to answer a submit before the answer counts as lost. */
const SUBMIT_TIMEOUT_MS = 60_000
/** First look at an order that has just been taken. */
const firstPollMs = ({ can }: VideoProvider, timeScale: number) =>
  Math.min(25_000, can.expectedMs / 4) * timeScale

/**
 * Sends one attempt's order: the intent is committed before the call, the answer after it. A worker
 * that dies in between leaves `submitting`, which is never sent again (see leases.server.ts).
 */
export async function submitAttempt(ctx: EngineCtx, attemptId: string): Promise<void> {
  const attempt = await claimAttempt(ctx, {
    attemptId,
    from: 'queued',
    to: 'submitting',
    set: sql`sent_at = engine_now(), due_at = engine_now() + ${SUBMIT_TIMEOUT_MS}::float * interval '1 millisecond'`,
  })
  if (!attempt) return
  const { provider, settings } = ctx
  try {
    const credential = await credentialForSubmit(ctx, attempt)
    const ref = await provider.submit(
      orderOf(attempt, provider, settings.clipSeconds),
      credential,
      {
        attemptId,
        // Not cut short when the worker stops: a lost answer costs more than a few seconds.
        signal: AbortSignal.timeout(SUBMIT_TIMEOUT_MS),
      },
    )
    await recordOrder(ctx, attempt, ref)
  } catch (error) {
    await handleFault(ctx, { attempt, phase: 'submit', error: toProviderError(error) })
  }
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
