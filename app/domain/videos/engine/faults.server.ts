import sql from 'sql-template-tag'
import { assertNever } from '~/lib/assert-never'
import { ProviderError } from '~/platform/providers/port'
import { writeAttempt } from './attempts.server'
import type { EngineCtx, HeldAttempt } from './context'
import { decide, recoverDelay } from './policy'
import { failAttempt, requeueAttempt } from './settle.server'

type Phase = 'submit' | 'poll' | 'fetch' | 'job'
type Incident = {
  attempt: HeldAttempt
  phase: Phase
  error: Pick<ProviderError, 'fault' | 'acceptance' | 'evidence'>
}

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const DISK_FULL_RETRY_MS = 30_000

/**
 * What an adapter threw. Anything else is not the provider's doing (a bug, our disk, our database)
 * and goes on to the queue, which brings the job back.
 */
export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  throw error
}

/** Notes what happened and does what the policy says. */
export async function handleFault(
  ctx: EngineCtx,
  { attempt, phase, error }: Incident,
): Promise<void> {
  const { fault, acceptance, evidence } = error
  const { failedAttempts, stepTries } = attempt
  const action = decide({ fault, acceptance, phase, failedAttempts, stepTries })
  ctx.log.warn(
    {
      attemptId: attempt.id,
      videoId: attempt.videoId,
      phase,
      fault: fault.kind,
      acceptance,
      evidence,
      action: action.do,
    },
    'provider fault',
  )
  const isMine = await writeAttempt(
    ctx.db,
    attempt,
    sql`fault = ${fault.kind}, acceptance = ${acceptance}, evidence = ${JSON.stringify(evidence)}::jsonb`,
  )
  if (!isMine) return
  switch (action.do) {
    case 'retry-step':
      return attempt.overdue
        ? giveUpOverdue(ctx, attempt)
        : retryStep(ctx, { attempt, phase }, scaled(ctx, action.afterMs))
    case 'new-attempt': {
      const { counts } = action
      return requeueAttempt(ctx, attempt, {
        afterMs: scaled(ctx, action.afterMs),
        counts,
        reason: fault.kind,
      })
    }
    case 'recover':
      return startRecovery(ctx, attempt)
    case 'fail':
      return failAttempt(ctx, attempt, action.as)
    default:
      return assertNever(action)
  }
}

const scaled = (ctx: EngineCtx, ms: number) => ms * ctx.settings.providerTimeScale

/** The order's time is over: the video fails with its unit returned. */
export function giveUpOverdue(ctx: EngineCtx, attempt: HeldAttempt): Promise<void> {
  return failAttempt(ctx, attempt, 'time-out')
}

async function retryStep(
  ctx: EngineCtx,
  { attempt, phase }: { attempt: HeldAttempt; phase: Phase },
  delayMs: number,
): Promise<void> {
  const name = phase === 'fetch' ? 'videos.fetch' : 'videos.poll'
  await ctx.db.transaction(async (tx) => {
    const isMine = await writeAttempt(
      tx,
      attempt,
      sql`step_tries = step_tries + 1, due_at = engine_now() + ${delayMs}::float * interval '1 millisecond'`,
    )
    if (isMine) await ctx.queue.add(tx, [{ name, payload: { attemptId: attempt.id }, delayMs }])
  })
}

async function startRecovery(ctx: EngineCtx, attempt: HeldAttempt): Promise<void> {
  const delayMs = scaled(ctx, recoverDelay(0, ctx.provider.can.recover === 'client-id'))
  await ctx.db.transaction(async (tx) => {
    const isMine = await writeAttempt(
      tx,
      attempt,
      sql`state = 'unknown', step_tries = 0, due_at = engine_now() + ${delayMs}::float * interval '1 millisecond'`,
    )
    if (!isMine) return
    await ctx.queue.add(tx, [
      { name: 'videos.recover', payload: { attemptId: attempt.id }, delayMs },
    ])
  })
}

/**
 * Ours, not the provider's: a full disk holds the step and tries again, without counting. False
 * when the error is something else.
 */
export async function waitForSpace(
  ctx: EngineCtx,
  attempt: HeldAttempt,
  error: unknown,
): Promise<boolean> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!DISK_FULL.has(code)) return false
  ctx.log.error({ attemptId: attempt.id, code }, 'no space left to store a video')
  const delayMs = DISK_FULL_RETRY_MS
  await ctx.db.transaction(async (tx) => {
    const isMine = await writeAttempt(
      tx,
      attempt,
      sql`due_at = engine_now() + ${delayMs}::float * interval '1 millisecond'`,
    )
    if (!isMine) return
    await ctx.queue.add(tx, [{ name: 'videos.fetch', payload: { attemptId: attempt.id }, delayMs }])
  })
  return true
}
