import sql, { empty, type Sql } from 'sql-template-tag'
import { runningTimeout } from '~/lib/running-time'
import { seconds } from '~/lib/time'
import {
  providerErrorOrThrow,
  type AssetRef,
  type PollResult,
  type VideoProvider,
} from '~/platform/providers/port'
import { scheduleNextStep, runStep } from './attempts.server'
import type { EngineCtx, LeasedAttempt } from './context'
import { credentialOf } from './credentials.server'
import { giveUpOverdue } from './ask-again.server'
import { handleFault } from './faults.server'
import { giveUpForeign, isForeign } from './foreign-order.server'
import { requeueAttempt } from './settle.server'
import { parseOrderRef } from './stored-json'
import { noteStrangeWord } from './strange-words.server'

const POLL_TIMEOUT_MS = seconds(30)

/**
 * Polls one order and schedules the next step. An order whose deadline has passed is polled once
 * more before it is given up, because it may have finished while it could not be polled. If that
 * poll fails too, check-late.server.ts takes over.
 */
export async function pollAttempt(engine: EngineCtx, attemptId: string): Promise<void> {
  const patienceMs = POLL_TIMEOUT_MS + seconds(15)
  await runStep(engine, { attemptId, from: 'submitted', patienceMs }, async (ctx, attempt) => {
    let result: PollResult
    try {
      const signal = AbortSignal.any([ctx.signal, runningTimeout(POLL_TIMEOUT_MS)])
      const credential = credentialOf(ctx, attempt)
      result = await ctx.provider.poll(parseOrderRef(attempt.ref), credential, signal)
    } catch (error) {
      return handleFault(ctx, { attempt, phase: 'poll', error: providerErrorOrThrow(error) })
    }
    await followUp(ctx, attempt, result)
  })
}

async function followUp(ctx: EngineCtx, attempt: LeasedAttempt, result: PollResult): Promise<void> {
  if (await isForeign(ctx, attempt, result))
    return giveUpForeign(ctx, attempt, parseOrderRef(attempt.ref).id)
  if (result.strangeWord !== undefined) await noteStrangeWord(ctx, result.strangeWord)
  switch (result.state) {
    case 'succeeded': {
      const set = fetching(ctx.provider, result.assets[0])
      await scheduleNextStep(ctx, attempt, { job: 'videos.fetch', afterMs: 0, set })
      return
    }
    case 'failed': {
      const { fault, evidence, wasStopped = false } = result
      if (wasStopped && (await isCancelled(ctx, attempt))) return endWithdrawn(ctx, attempt)
      const error = { fault, evidence, acceptance: 'accepted' } as const
      return handleFault(ctx, { attempt, phase: 'job', error })
    }
    case 'pending': {
      const { phase, progress, still = null, pollAfterMs: afterMs } = result
      if (phase === 'queued' && (await isWithdrawn(ctx, attempt))) return endWithdrawn(ctx, attempt)
      const isWaiting = phase === 'queued' && ctx.provider.can.deadlineFrom === 'rendering'
      if (attempt.overdue && !isWaiting) return giveUpOverdue(ctx, attempt)
      const percent = progress === undefined ? null : Math.round(progress * 100)
      const set = sql`step_tries = 0, percent = ${percent}::smallint,
        still = coalesce(still, ${still}::bytea)${isWaiting ? sql`, ${deadlineIn(ctx.provider.can.deadlineMs)}` : empty}`
      await scheduleNextStep(ctx, attempt, { job: 'videos.poll', afterMs, set })
    }
  }
}

async function isWithdrawn(ctx: EngineCtx, attempt: LeasedAttempt): Promise<boolean> {
  const { provider } = ctx
  if (!provider.withdraw || !(await isCancelled(ctx, attempt))) return false
  const signal = AbortSignal.any([ctx.signal, runningTimeout(POLL_TIMEOUT_MS)])
  return provider.withdraw(parseOrderRef(attempt.ref), credentialOf(ctx, attempt), signal)
}

const isCancelled = async ({ db }: EngineCtx, { batchId }: LeasedAttempt): Promise<boolean> =>
  batchId !== null &&
  (await db.row(sql`select 1 from batches where id = ${batchId} and status = 'cancelled'`)) !==
    undefined

/** The video goes back into a line that its batch has left, which ends it and returns its unit. */
const endWithdrawn = (ctx: EngineCtx, attempt: LeasedAttempt): Promise<void> =>
  requeueAttempt(ctx, attempt, { afterMs: 0, endsAs: 'abandoned', reason: 'busy' })

const deadlineIn = (ms: number): Sql =>
  sql`deadline_at = engine_now() + ${ms}::float * interval '1 millisecond'`

/**
 * Moves an attempt to `fetching`. Its new deadline is when the provider deletes the clip. A clip that
 * was asked for before keeps its deadline: a fresh address does not make it last longer.
 */
export const fetching = ({ can }: VideoProvider, asset: AssetRef): Sql =>
  sql`state = 'fetching', asset = ${JSON.stringify(asset)}::jsonb, step_tries = 0,
    deadline_at = case when fetch_tries > 0 then deadline_at
      else engine_now() + ${can.clipsKeptMs}::float * interval '1 millisecond' end`
