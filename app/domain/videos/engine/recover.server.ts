import sql from 'sql-template-tag'
import type { FindResult } from '~/platform/providers/port'
import { claimAttempt, writeAttempt } from './attempts.server'
import type { EngineCtx, HeldAttempt } from './context'
import { credentialFor } from './credentials.server'
import { giveUpOverdue, toProviderError } from './faults.server'
import { orderOf } from './orders'
import { recoverDelay } from './policy'
import { startFetch } from './poll.server'
import { requeueAttempt } from './settle.server'
import { recordOrder } from './submit.server'

const FIND_TIMEOUT_MS = 30_000

/**
 * Looks for an order whose answer was lost. It is never sent again: found, the attempt goes on;
 * certainly not taken, a new attempt follows; neither, another look later.
 */
export async function recoverAttempt(ctx: EngineCtx, attemptId: string): Promise<void> {
  const attempt = await claimAttempt(ctx, { attemptId, from: 'unknown' })
  if (!attempt) return
  const { provider, settings } = ctx
  if (!provider.find || !attempt.sentAt) return giveUpOverdue(ctx, attempt)
  try {
    const order = {
      attemptId,
      sentAt: attempt.sentAt,
      request: orderOf(attempt, provider, settings.clipSeconds),
      accountScope: attempt.accountScope,
    }
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(FIND_TIMEOUT_MS)])
    const result = await provider.find(order, credentialFor(attempt), signal)
    if (result.found === 'job') return await recordOrder(ctx, attempt, result.ref)
    if (result.found === 'assets') return await foundAssets(ctx, attempt, result)
    if (result.settled) {
      return await requeueAttempt(ctx, attempt, { afterMs: 0, counts: true, reason: 'transient' })
    }
  } catch (error) {
    const { fault, evidence } = toProviderError(error)
    ctx.log.warn({ attemptId, fault: fault.kind, evidence }, 'look-up of a lost order failed')
  }
  if (attempt.overdue) return giveUpOverdue(ctx, attempt)
  await lookAgain(ctx, attempt)
}

type FoundAssets = Extract<FindResult, { found: 'assets' }>

async function foundAssets(
  ctx: EngineCtx,
  attempt: HeldAttempt,
  { ref, assets }: FoundAssets,
): Promise<void> {
  await writeAttempt(
    ctx.db,
    attempt,
    sql`ref = ${JSON.stringify(ref)}::jsonb, account_scope = ${ref.accountScope}`,
  )
  await startFetch(ctx, attempt, assets[0])
}

async function lookAgain(ctx: EngineCtx, attempt: HeldAttempt): Promise<void> {
  const byOwnId = ctx.provider.can.recover === 'client-id'
  const delayMs = recoverDelay(attempt.stepTries + 1, byOwnId) * ctx.settings.providerTimeScale
  await ctx.db.transaction(async (tx) => {
    const isMine = await writeAttempt(
      tx,
      attempt,
      sql`step_tries = step_tries + 1, due_at = engine_now() + ${delayMs}::float * interval '1 millisecond'`,
    )
    if (!isMine) return
    await ctx.queue.add(tx, [
      { name: 'videos.recover', payload: { attemptId: attempt.id }, delayMs },
    ])
  })
}
