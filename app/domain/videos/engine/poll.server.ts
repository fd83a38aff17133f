import sql, { type Sql } from 'sql-template-tag'
import type { AssetRef } from '~/platform/providers/port'
import { claimAttempt, goOn, isDue } from './attempts.server'
import type { EngineCtx, HeldAttempt } from './context'
import { credentialForOrder } from './credentials.server'
import { giveUpOverdue, handleFault, toProviderError } from './faults.server'
import { parseJobRef } from './stored-json'

const POLL_TIMEOUT_MS = 30_000

/**
 * Asks how one order is doing and schedules what follows. A second job for the same poll finds
 * `due_at` moved and does nothing; it takes over from one that asked and could not write the answer
 * down, which costs nothing but the question.
 */
export async function pollAttempt(ctx: EngineCtx, attemptId: string): Promise<void> {
  const attempt = await claimAttempt(ctx, {
    attemptId,
    from: 'submitted',
    and: sql`(${isDue} or lease_pool is not null)`,
    set: sql`due_at = engine_now() + ${POLL_TIMEOUT_MS}::float * interval '1 millisecond'`,
  })
  if (!attempt) return
  if (attempt.overdue) return giveUpOverdue(ctx, attempt)
  try {
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(POLL_TIMEOUT_MS)])
    const result = await ctx.provider.poll(
      parseJobRef(attempt.ref),
      await credentialForOrder(ctx, attempt),
      signal,
    )
    if (result.state === 'pending') {
      const next = { job: 'videos.poll', afterMs: result.pollAfterMs } as const
      await goOn(ctx, attempt, { ...next, set: sql`step_tries = 0` })
    } else if (result.state === 'succeeded') {
      await startFetch(ctx, attempt, result.assets[0])
    } else {
      const { fault, evidence } = result
      await handleFault(ctx, {
        attempt,
        phase: 'job',
        error: { fault, evidence, acceptance: 'accepted' },
      })
    }
  } catch (error) {
    await handleFault(ctx, { attempt, phase: 'poll', error: toProviderError(error) })
  }
}

/** Notes where the finished clip lies and schedules its copying. */
async function startFetch(ctx: EngineCtx, attempt: HeldAttempt, asset: AssetRef): Promise<void> {
  await goOn(ctx, attempt, { job: 'videos.fetch', afterMs: 0, set: fetching(asset) })
}

/** What a finished clip changes in its attempt. */
export const fetching = (asset: AssetRef): Sql =>
  sql`state = 'fetching', asset = ${JSON.stringify(asset)}::jsonb, step_tries = 0`
