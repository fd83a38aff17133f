import sql from 'sql-template-tag'
import type { FindResult } from '~/platform/providers/port'
import { claimAttempt, goOn } from './attempts.server'
import type { EngineCtx, HeldAttempt } from './context'
import { credentialForOrder } from './credentials.server'
import { toProviderError } from './faults.server'
import { orderOf } from './orders'
import { recoverDelay } from './policy'
import { fetching } from './poll.server'
import { abandonOrder, requeueAttempt } from './settle.server'
import { recordOrder } from './submit.server'

const FIND_TIMEOUT_MS = 30_000

/**
 * Looks for an order whose answer was lost. It is never sent again: found, the attempt goes on;
 * certainly not taken, a new attempt follows; neither, another look later, until its time is over
 * and it is written off as an orphan.
 */
export async function recoverAttempt(ctx: EngineCtx, attemptId: string): Promise<void> {
  const attempt = await claimAttempt(ctx, { attemptId, from: 'unknown' })
  if (!attempt) return
  const result = await look(ctx, attempt)
  if (result?.found === 'job') return recordOrder(ctx, attempt, result.ref)
  if (result?.found === 'assets') return foundAssets(ctx, attempt, result)
  if (result?.settled) {
    return requeueAttempt(ctx, attempt, { afterMs: 0, endsAs: 'failed', reason: 'transient' })
  }
  if (attempt.overdue || !ctx.provider.find) return abandonOrder(ctx, attempt)
  await lookAgain(ctx, attempt)
}

async function look(ctx: EngineCtx, attempt: HeldAttempt): Promise<FindResult | undefined> {
  const { provider, settings } = ctx
  if (!provider.find || !attempt.sentAt) return undefined
  const order = {
    attemptId: attempt.id,
    sentAt: attempt.sentAt,
    ageMs: attempt.ageMs ?? 0,
    request: orderOf(attempt, provider, settings.clipSeconds),
    accountScope: attempt.accountScope,
    isTaken: (orderId: string) => isTaken(ctx, attempt, orderId),
  }
  try {
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(FIND_TIMEOUT_MS)])
    return await provider.find(order, await credentialForOrder(ctx, attempt), signal)
  } catch (error) {
    const { fault, evidence } = toProviderError(error)
    ctx.log.warn(
      { attemptId: attempt.id, fault: fault.kind, evidence },
      'look-up of a lost order failed',
    )
    return undefined
  }
}

/** Whether another attempt of the same account owns an order. */
async function isTaken(ctx: EngineCtx, attempt: HeldAttempt, orderId: string): Promise<boolean> {
  const owner = await ctx.db.row(sql`
    select 1 from attempts where account_scope = ${attempt.accountScope} and id <> ${attempt.id}
      and ref->>'id' = ${orderId} and created_at > engine_now() - interval '2 days' limit 1`)
  return owner !== undefined
}

async function foundAssets(
  ctx: EngineCtx,
  attempt: HeldAttempt,
  { ref, assets }: Extract<FindResult, { found: 'assets' }>,
): Promise<void> {
  const set = sql`${fetching(assets[0])}, ref = ${JSON.stringify(ref)}::jsonb,
    account_scope = ${ref.accountScope}`
  await goOn(ctx, attempt, { job: 'videos.fetch', afterMs: 0, set })
}

async function lookAgain(ctx: EngineCtx, attempt: HeldAttempt): Promise<void> {
  const byOwnId = ctx.provider.can.recover === 'client-id'
  const afterMs = recoverDelay(attempt.stepTries + 1, byOwnId) * ctx.settings.providerTimeScale
  await goOn(ctx, attempt, {
    job: 'videos.recover',
    afterMs,
    set: sql`step_tries = step_tries + 1`,
  })
}
