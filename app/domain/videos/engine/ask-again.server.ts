import sql, { empty } from 'sql-template-tag'
import { seconds } from '~/lib/time'
import { DISPATCH_NOW } from '../line.server'
import { scheduleNextStep } from './attempts.server'
import type { EngineCtx, LeasedAttempt } from './context'
import { costsMoney, noteFailure, subjectOf } from './breaker.server'
import { scaled, type Incident } from './incident'
import { UNHEARD_TRIES } from './next-in-line.server'
import { getsAnswers, isAnswered, noteUnanswered } from './tokens.server'
import { clipDelay, unansweredDelay, type Action } from './policy'
import { failAttempt, writeOffOrder } from './settle.server'
import { hostOf, parseAssetRef } from './stored-json'

// How an order that was taken is asked for again, and how it is given up.

const OTHER_TOKEN_RETRY_MS = seconds(1)

/**
 * Handles a token with which an order could not be polled or fetched: asks with another token of the
 * account. If none is left, the order may be finished and paid for, so it is asked for some minutes
 * longer before it is written off. A finished clip is waited for like any other as long as the token
 * gets answers to other questions.
 */
export async function askOtherwise(ctx: EngineCtx, incident: Incident): Promise<void> {
  const { attempt, error } = incident
  const { credential, stepTries, overdue } = attempt
  const hasClip = attempt.asset !== null
  const isNews = credential !== null && error.acceptance !== 'not-sent'
  const isOver = isNews && (await noteUnanswered(ctx, credential, error.evidence))
  if (isOver && (await isAnswered(ctx, attempt))) {
    return retryStep(ctx, incident, { delayMs: scaled(ctx, OTHER_TOKEN_RETRY_MS), counts: false })
  }
  if (hasClip && credential !== null && (await getsAnswers(ctx.db, credential.id))) {
    if (overdue) return failAttempt(ctx, attempt, 'down')
    return retryStep(ctx, incident, { delayMs: scaled(ctx, clipDelay(stepTries)), counts: true })
  }
  const afterMs = unansweredDelay(stepTries, hasClip)
  if (afterMs === null) return writeOffOrder(ctx, attempt)
  const delayMs = scaled(ctx, afterMs)
  await retryStep(ctx, incident, { delayMs, counts: true, extendsDeadline: true })
}

/** Fails an attempt whose deadline has passed. The video fails and its quota unit is returned. */
export async function giveUpOverdue(ctx: EngineCtx, attempt: LeasedAttempt): Promise<void> {
  if (costsMoney(ctx.provider) && !attempt.late) {
    await noteNoClip(ctx, attempt, 'the order was not finished before its deadline')
  }
  return failAttempt(ctx, attempt, 'time-out')
}

type Pause = {
  delayMs: number
  counts: boolean
  /** Whether to extend the order's deadline by the pause. */
  extendsDeadline?: boolean
}

/**
 * Schedules the running step again after a pause. The line looks at a provider that begins to say nothing
 * about an order: it may be down, and have no room for an order that would show it.
 */
export async function retryStep(
  ctx: EngineCtx,
  { attempt, phase }: Pick<Incident, 'attempt' | 'phase'>,
  { delayMs, counts, extendsDeadline = false }: Pause,
): Promise<void> {
  const { queue, otherProviders } = ctx
  const tries = attempt.stepTries + (counts ? 1 : 0)
  const isNews = phase === 'poll' && counts && tries === UNHEARD_TRIES && otherProviders.length > 0
  await scheduleNextStep(ctx, attempt, {
    job: phase === 'fetch' ? 'videos.fetch' : 'videos.poll',
    afterMs: delayMs,
    columns: isNews ? sql`, ${queue.adding([DISPATCH_NOW])}` : empty,
    set: sql`step_tries = ${tries}::int,
      deadline_at = deadline_at + ${extendsDeadline ? delayMs : 0}::float * interval '1 millisecond'`,
  })
}

/**
 * Waits for a clip that cannot be downloaded now. If several different ones of its host fail in a
 * row, nothing new is ordered until one arrives.
 */
export async function waitForClips(
  ctx: EngineCtx,
  incident: Incident,
  delayMs: number,
): Promise<void> {
  const { attempt, error } = incident
  await ctx.db.transaction((tx) =>
    noteFailure(ctx, tx, {
      kind: 'clips',
      scope: hostOf(parseAssetRef(attempt.asset)),
      subject: subjectOf(attempt),
      attemptId: attempt.id,
      seen: error.evidence.message,
    }),
  )
  await retryStep(ctx, incident, { delayMs, counts: true })
}

type FetchAgain = Extract<Action, { do: 'fetch-again' }>

/** Asks for a finished clip again, if needed for a fresh address first. */
export async function fetchAgain(
  ctx: EngineCtx,
  attempt: LeasedAttempt,
  { afterMs, asksFirst, isGone }: FetchAgain,
): Promise<void> {
  await scheduleNextStep(ctx, attempt, {
    job: asksFirst ? 'videos.poll' : 'videos.fetch',
    afterMs: scaled(ctx, afterMs),
    set: sql`fetch_tries = fetch_tries + 1, gone_tries = gone_tries + ${isGone ? 1 : 0}, step_tries = 0,
      state = ${asksFirst ? 'submitted' : 'fetching'}::attempt_state`,
  })
}

/** Notes an order that was accepted and brought no clip, for no reason that lies in the video. */
export const noteNoClip = (ctx: EngineCtx, attempt: LeasedAttempt, seen: string) =>
  ctx.db.transaction((tx) =>
    noteFailure(ctx, tx, {
      kind: 'no-clips',
      scope: attempt.account,
      subject: subjectOf(attempt),
      attemptId: attempt.id,
      seen,
    }),
  )
