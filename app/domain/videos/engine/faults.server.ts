import sql, { empty } from 'sql-template-tag'
import { assertNever } from '~/lib/assert-never'
import { seconds } from '~/lib/time'
import type { ProviderError } from '~/platform/providers/port'
import { scheduleNextStep, writeAttempt, type Writer } from './attempts.server'
import type { EngineCtx, LeasedAttempt } from './context'
import { costsMoney, noteFailure, refusedDelay, subjectOf } from './breaker.server'
import { closeGate, SERVICE } from './gates.server'
import {
  getsAnswers,
  isAnswered,
  noteForbidden,
  noteUnanswered,
  noteUnauthorized,
  noteWords,
  pauseAccount,
} from './keys.server'
import { clipDelay, decide, recoverDelay, unansweredDelay, type Action } from './policy'
import { DISPATCH_NOW } from '../line.server'
import { failAttempt, requeueAttempt, writeOffOrder } from './settle.server'
import { hostOf, parseAssetRef } from './stored-json'

type Phase = 'submit' | 'poll' | 'fetch' | 'job'
type Incident = {
  attempt: LeasedAttempt & Writer
  phase: Phase
  error: Pick<ProviderError, 'fault' | 'acceptance' | 'evidence'>
}

const OTHER_TOKEN_RETRY_MS = seconds(1)

/** Records a fault on the attempt and takes the action that the policy decides. */
export async function handleFault(ctx: EngineCtx, met: Incident): Promise<void> {
  const { phase, error } = met
  // The call was aborted because the worker is stopping. This is not a fault.
  if (ctx.signal.aborted && isAsking(phase)) {
    return retryStep(ctx, met, { delayMs: 0, counts: false })
  }
  const { fault, acceptance, evidence } = error
  // A paid order is not given up at its first refusal because the provider was busy before.
  const isAnother = met.attempt.lastFault !== fault.kind
  const attempt = isAnother ? { ...met.attempt, stepTries: 0 } : met.attempt
  const incident = { ...met, attempt }
  const hasClip = attempt.asset !== null
  const action = decide({ ...attempt, fault, acceptance, phase, hasClip })
  const { id: attemptId, videoId } = attempt
  ctx.log.warn(
    { attemptId, videoId, phase, fault: fault.kind, acceptance, evidence, action: action.do },
    'provider fault',
  )
  const isMine = await writeAttempt(
    ctx.db,
    attempt,
    sql`fault = ${fault.kind}, acceptance = ${acceptance}, evidence = ${JSON.stringify(evidence)}::jsonb`,
  )
  if (!isMine) return
  if (isForNothing(ctx, incident, action)) await noteNoClip(ctx, attempt, evidence.message)
  await applyAction(ctx, incident, action)
}

/**
 * Returns whether an order that was accepted brought no clip, for no reason that lies in the video:
 * it failed at the provider, or what was downloaded is no clip.
 */
function isForNothing(
  { provider }: EngineCtx,
  { attempt, phase, error: { fault } }: Incident,
  action: Action,
): boolean {
  if (attempt.late || !costsMoney(provider)) return false
  if (attempt.asset === null)
    return phase === 'job' && (fault.kind === 'transient' || fault.kind === 'permanent')
  const isNoClip =
    fault.kind === 'permanent' && (fault.reason === 'protocol' || fault.reason === 'broken-clip')
  return (phase === 'fetch' && isNoClip) || action.do === 'fail'
}

const noteNoClip = (ctx: EngineCtx, attempt: LeasedAttempt, seen: string) =>
  ctx.db.transaction((tx) =>
    noteFailure(ctx, tx, {
      kind: 'no-clips',
      scope: attempt.account,
      subject: subjectOf(attempt),
      attemptId: attempt.id,
      seen,
    }),
  )

const isAsking = (phase: Phase) => phase === 'poll' || phase === 'fetch'
const scaled = (ctx: EngineCtx, ms: number) => ms * ctx.settings.providerTimeScale

async function applyAction(ctx: EngineCtx, incident: Incident, action: Action): Promise<void> {
  const { attempt, phase } = incident
  switch (action.do) {
    case 'retry-step':
      if (attempt.overdue) return giveUpOverdue(ctx, attempt)
      return retryStep(ctx, incident, { delayMs: scaled(ctx, action.afterMs), counts: true })
    case 'wait-for-clips':
      if (attempt.overdue) return failAttempt(ctx, attempt, 'down')
      return waitForClips(ctx, incident, scaled(ctx, action.afterMs))
    case 'fetch-again':
      if (attempt.overdue) return failAttempt(ctx, attempt, action.as)
      return fetchAgain(ctx, attempt, action)
    case 'new-attempt': {
      if (phase === 'submit') await noteDown(ctx, incident)
      const afterMs = scaled(ctx, action.afterMs)
      return requeueAttempt(ctx, attempt, { afterMs, endsAs: 'failed', reason: 'transient' })
    }
    case 'close':
      return closeAndRequeue(ctx, incident, action)
    case 'refused':
      return holdRefused(ctx, incident, action)
    case 'change-token':
      return isAsking(phase) ? askOtherwise(ctx, incident) : changeToken(ctx, incident)
    case 'recover':
      await startRecovery(ctx, attempt)
      return noteUnreadable(ctx, incident)
    case 'fail':
      return failAttempt(ctx, attempt, action.as)
    default:
      return assertNever(action)
  }
}

const noteDown = (ctx: EngineCtx, { attempt, error }: Incident) =>
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
const noteUnreadable = (ctx: EngineCtx, { attempt, error }: Incident) =>
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
async function holdRefused(
  ctx: EngineCtx,
  { attempt, error }: Incident,
  { reason, wide }: Refused,
): Promise<void> {
  const known = await ctx.db.transaction((tx) =>
    noteFailure(ctx, tx, {
      kind: reason,
      scope: wide ? SERVICE : attempt.account,
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
async function closeAndRequeue(
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
    closeGate(ctx, tx, { scope: SERVICE, reason, retryAfterMs, attemptId }),
  )
  await requeueAttempt(ctx, attempt, { afterMs: 0, endsAs: 'abandoned', reason })
}

/** Handles a token whose order was refused with 401. The video takes the next token at once. */
async function changeToken(ctx: EngineCtx, { attempt, error }: Incident): Promise<void> {
  const { acceptance, evidence } = error
  // If the adapter sent no request, the error does not show anything about the token.
  if (acceptance !== 'not-sent') await noteUnauthorized(ctx, { attempt, evidence })
  await requeueAttempt(ctx, attempt, { afterMs: 0, endsAs: 'abandoned', reason: 'token' })
}

/**
 * Handles a token with which an order could not be polled or fetched: asks with another token of the
 * account. If none is left, the order may be finished and paid for, so it is asked for some minutes
 * longer before it is written off. A finished clip is waited for like any other as long as the token
 * gets answers to other questions.
 */
async function askOtherwise(ctx: EngineCtx, incident: Incident): Promise<void> {
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

/** Schedules the running step again after a pause. */
export async function retryStep(
  ctx: EngineCtx,
  { attempt, phase }: Pick<Incident, 'attempt' | 'phase'>,
  { delayMs, counts, extendsDeadline = false }: Pause,
): Promise<void> {
  await scheduleNextStep(ctx, attempt, {
    job: phase === 'fetch' ? 'videos.fetch' : 'videos.poll',
    afterMs: delayMs,
    set: sql`step_tries = ${attempt.stepTries + (counts ? 1 : 0)}::int,
      deadline_at = deadline_at + ${extendsDeadline ? delayMs : 0}::float * interval '1 millisecond'`,
  })
}

/**
 * Waits for a clip that cannot be downloaded now. If several different ones of its host fail in a
 * row, nothing new is ordered until one arrives.
 */
async function waitForClips(ctx: EngineCtx, incident: Incident, delayMs: number): Promise<void> {
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

async function fetchAgain(
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

/** Looks an order up whose response was lost. `also` sets further columns, each after a comma. */
export async function startRecovery(
  ctx: EngineCtx,
  attempt: LeasedAttempt & Writer,
  also = empty,
): Promise<void> {
  await scheduleNextStep(ctx, attempt, {
    job: 'videos.recover',
    afterMs: scaled(ctx, recoverDelay(0, ctx.provider.can.recover === 'client-id')),
    set: sql`state = 'unknown', step_tries = 0, lost_at = engine_now()${also}`,
  })
}
