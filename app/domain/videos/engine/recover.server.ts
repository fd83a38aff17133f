import sql from 'sql-template-tag'
import { runningTimeout } from '~/lib/running-time'
import { minutes, seconds } from '~/lib/time'
import { providerErrorOrThrow, type FindResult } from '~/platform/providers/port'
import { scheduleNextStep, runStep } from './attempts.server'
import type { EngineCtx, LeasedAttempt } from './context'
import { credentialOf } from './credentials.server'
import { findProviderOf } from '../../providers.server'
import { noteUnanswered } from './tokens.server'
import { orderOf } from './orders'
import { LIST_SETTLES_MS, MAX_LOST_ATTEMPTS, recoverDelay, writeOffAfter } from './policy'
import { fetching } from './poll.server'
import { failAttempt, requeueAttempt, writeOffOrder } from './settle.server'
import { recordOrder } from './submit.server'

const FIND_TIMEOUT_MS = seconds(30)

/** Between two looks whether the provider is set up again. */
const ABSENT_LOOK_MS = minutes(1)

/**
 * Looks for an order whose response was lost. The order is never sent again. If it is found, the
 * attempt continues. If it was certainly not accepted, the video goes back into the line. Otherwise
 * another look-up is scheduled. If the provider has no look-up, or the time for it is over, the
 * order is written off as an orphan. A provider that is not set up is waited for until the deadline.
 */
export async function recoverAttempt(engine: EngineCtx, attemptId: string): Promise<void> {
  const patienceMs = FIND_TIMEOUT_MS + seconds(15)
  await runStep(engine, { attemptId, from: 'unknown', patienceMs }, async (ctx, attempt) => {
    const isSetUp = findProviderOf(engine, attempt.provider, attempt.accountScope) !== undefined
    if (!isSetUp && !attempt.overdue) return waitFor(ctx, attempt)
    const result = await look(ctx, attempt)
    if (result?.found === 'order') return continueWith(ctx, attempt, result)
    if (result?.found === 'assets') return foundAssets(ctx, attempt, result)
    if (result?.settled) return orderAgain(ctx, attempt)
    const restMs = (await patienceWith(ctx)) - (attempt.lostMs ?? 0)
    if (restMs <= 0) return writeOffOrder(ctx, attempt)
    await lookAgain(ctx, attempt, restMs)
  })
}

/**
 * Requeues the video of an order that was certainly not accepted. The video still counts in its
 * round, as if nothing had been sent. If the provider reported that it accepted the order, but under
 * the id of another order, the order cannot be found and may have been paid for, so it is written
 * off.
 */
async function orderAgain(ctx: EngineCtx, attempt: LeasedAttempt): Promise<void> {
  if (attempt.isAccepted) return writeOffOrder(ctx, attempt)
  if (attempt.lostAttempts + 1 >= MAX_LOST_ATTEMPTS) return failAttempt(ctx, attempt, 'down')
  await requeueAttempt(ctx, attempt, { afterMs: 0, endsAs: 'abandoned', reason: 'transient' })
}

/** Returns after how many milliseconds a lost order is written off. See `writeOffAfter`. */
async function patienceWith(ctx: EngineCtx): Promise<number> {
  const { recover, ordersAgain, deadlineMs, expectedMs } = ctx.provider.can
  if (ordersAgain) return 0
  const timeScale = ctx.settings.providerTimeScale
  const slowestMs = (await slowestDelivery(ctx)) ?? expectedMs * timeScale
  return writeOffAfter({ recover, slowestMs, deadlineMs, timeScale })
}

/** Returns the 99th percentile of the provider's last hundred deliveries in milliseconds, or null. */
async function slowestDelivery({ db, provider }: EngineCtx): Promise<number | null> {
  const { ms } = await db.one<{ ms: number | null }>(sql`
    select percentile_disc(0.99) within group (order by took)::float * 1000 as ms from (
      select extract(epoch from settled_at - sent_at) as took from attempts
      where state = 'done' and provider = ${provider.kind} and not late
      order by settled_at desc limit 100) as latest`)
  return ms
}

async function look(ctx: EngineCtx, attempt: LeasedAttempt): Promise<FindResult | undefined> {
  const { provider, settings } = ctx
  if (!provider.find || !attempt.sentAt) return undefined
  const order = {
    attemptId: attempt.id,
    sentAt: attempt.sentAt,
    ageMs: attempt.ageMs ?? 0,
    lostMs: attempt.lostMs ?? 0,
    request: orderOf(attempt, provider, settings.clipSeconds),
    accountScope: attempt.accountScope,
    belongsToAnother: (orderId: string) => belongsToAnother(ctx, attempt, orderId),
  }
  try {
    const signal = AbortSignal.any([ctx.signal, runningTimeout(FIND_TIMEOUT_MS)])
    return await provider.find(order, credentialOf(ctx, attempt), signal)
  } catch (error) {
    const { fault, evidence, acceptance } = providerErrorOrThrow(error)
    if (fault.kind === 'unauthorized' && acceptance !== 'not-sent' && attempt.credential)
      await noteUnanswered(ctx, attempt.credential, evidence)
    ctx.log.warn(
      { attemptId: attempt.id, fault: fault.kind, evidence },
      'look-up of a lost order failed',
    )
    return undefined
  }
}

/**
 * Returns whether another attempt of the same account owns an order, or this attempt has given it up
 * as another's.
 */
async function belongsToAnother(
  ctx: EngineCtx,
  attempt: LeasedAttempt,
  orderId: string,
): Promise<boolean> {
  const owner = await ctx.db.row(sql`
    select 1 from attempts where account_scope = ${attempt.accountScope} and id <> ${attempt.id}
      and ref->>'id' = ${orderId}
    union all
    select 1 from attempts where id = ${attempt.id} and evidence->>'orderId' = ${orderId} limit 1`)
  return owner !== undefined
}

type FoundOrder = Extract<FindResult, { found: 'order' }>

/** Continues with the order that was found. It arrived before its response was lost. */
async function continueWith(
  ctx: EngineCtx,
  attempt: LeasedAttempt,
  { ref }: FoundOrder,
): Promise<void> {
  await recordOrder(ctx, attempt, { ref, agoMs: attempt.lostMs ?? 0 })
}

async function foundAssets(
  ctx: EngineCtx,
  attempt: LeasedAttempt,
  { ref, assets }: Extract<FindResult, { found: 'assets' }>,
): Promise<void> {
  const set = sql`${fetching(ctx.provider, assets[0])}, ref = ${JSON.stringify(ref)}::jsonb,
    account_scope = ${ref.accountScope}, sent_by = lost_at`
  await scheduleNextStep(ctx, attempt, { job: 'videos.fetch', afterMs: 0, set })
}

/** Waits for a provider that is not set up. The deadline stays. */
async function waitFor(ctx: EngineCtx, attempt: LeasedAttempt): Promise<void> {
  const set = sql`step_tries = 0`
  await scheduleNextStep(ctx, attempt, { job: 'videos.recover', afterMs: ABSENT_LOOK_MS, set })
}

async function lookAgain(ctx: EngineCtx, attempt: LeasedAttempt, restMs: number): Promise<void> {
  const { provider, settings } = ctx
  const byOwnId = provider.can.recover === 'client-id'
  // What users are told. A list settles soon; only if it cannot be read is there more to wait for.
  const listedMs = LIST_SETTLES_MS * settings.providerTimeScale - (attempt.lostMs ?? 0)
  const untilMs = provider.can.recover === 'list' && listedMs > 0 ? listedMs : restMs
  const pauseMs = recoverDelay(attempt.stepTries + 1, byOwnId) * settings.providerTimeScale
  await scheduleNextStep(ctx, attempt, {
    job: 'videos.recover',
    // Without look-ups, the next run writes the order off.
    afterMs: provider.find ? Math.min(pauseMs, restMs + 1) : restMs + 1,
    set: sql`step_tries = step_tries + 1,
      deadline_at = engine_now() + ${untilMs}::float * interval '1 millisecond'`,
  })
}
