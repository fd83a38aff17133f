import type { EngineCtx } from './context'
import { costsMoney, noteFailure, refusedDelay, subjectOf } from './breaker.server'
import { closeGate } from './close-gate.server'
import { serviceOf } from './gates.server'
import { scaled, type Incident } from './incident'
import { noteForbidden, noteUnauthorized, noteWords, pauseAccount } from './tokens.server'
import type { Action } from './policy'
import { DISPATCH_NOW } from '../line.server'
import { failAttempt, requeueAttempt } from './settle.server'

// What becomes of a video whose order was not taken, or whose acceptance cannot be read.

/** Notes an order that was refused without a reason that would concern the video. */
export const noteDown = (ctx: EngineCtx, { attempt, error }: Incident) =>
  ctx.db.transaction((tx) =>
    noteFailure(ctx, tx, {
      kind: 'down',
      scope: attempt.account,
      subject: subjectOf(attempt),
      attemptId: attempt.id,
      seen: error.evidence.message,
    }),
  )

/**
 * Notes an order that was sent and whose acceptance cannot be read: it may have been paid for. Its
 * place in a line that opens slowly is free again.
 */
export const noteUnreadable = (ctx: EngineCtx, { attempt, error }: Incident) =>
  ctx.db.transaction(async (tx) => {
    await ctx.queue.add(tx, [DISPATCH_NOW])
    if (!costsMoney(ctx.provider)) return
    await noteFailure(ctx, tx, {
      kind: 'unreadable',
      scope: attempt.account,
      subject: subjectOf(attempt),
      attemptId: attempt.id,
      seen: error.evidence.message,
    })
  })

type Refused = Extract<Action, { do: 'refused' }>

/**
 * Requeues a video whose order was refused like one of an account without rights. If it is refused
 * again although orders of others passed meanwhile, the cause is the video, and it fails. Until then
 * the account is closed to this video alone; other accounts may take it at once.
 */
export async function holdRefused(
  ctx: EngineCtx,
  { attempt, error }: Incident,
  { reason, wide }: Refused,
): Promise<void> {
  const known = await ctx.db.transaction((tx) =>
    noteFailure(ctx, tx, {
      kind: reason,
      scope: wide ? serviceOf(ctx.provider) : attempt.account,
      subject: subjectOf(attempt),
      attemptId: attempt.id,
      seen: error.evidence.message,
    }),
  )
  if (known.othersPassed) return failAttempt(ctx, attempt, 'input')
  if (!wide) await noteForbidden(ctx, { attempt, evidence: error.evidence })
  const afterMs = wide ? scaled(ctx, refusedDelay(known.tries)) : 0
  await requeueAttempt(ctx, attempt, { afterMs, endsAs: 'abandoned', reason })
}

type Closing = Extract<Action, { do: 'close' }>

/** Closes the account, or the service, and lets the video take the next account at once. */
export async function closeAndRequeue(
  ctx: EngineCtx,
  { attempt, error: { evidence } }: Incident,
  { reason, wide, retryAfterMs }: Closing,
): Promise<void> {
  const { id: attemptId, credentialId } = attempt
  if (!wide) {
    await pauseAccount(ctx, { attempt, reason, evidence, retryAfterMs })
    if (credentialId !== null) await noteWords(ctx.db, credentialId, evidence)
    return requeueAttempt(ctx, attempt, { afterMs: 0, endsAs: 'abandoned', reason })
  }
  await ctx.db.transaction((tx) =>
    closeGate(ctx, tx, { scope: serviceOf(ctx.provider), reason, retryAfterMs, attemptId }),
  )
  await requeueAttempt(ctx, attempt, { afterMs: 0, endsAs: 'abandoned', reason })
}

/** Handles a token whose order was refused with 401. The video takes the next token at once. */
export async function changeToken(ctx: EngineCtx, { attempt, error }: Incident): Promise<void> {
  const { acceptance, evidence } = error
  // If the adapter sent no request, the error does not show anything about the token.
  if (acceptance !== 'not-sent') await noteUnauthorized(ctx, { attempt, evidence })
  await requeueAttempt(ctx, attempt, { afterMs: 0, endsAs: 'abandoned', reason: 'token' })
}
