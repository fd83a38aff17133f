import sql, { empty } from 'sql-template-tag'
import { assertNever } from '~/lib/assert-never'
import {
  askOtherwise,
  fetchAgain,
  giveUpOverdue,
  noteNoClip,
  retryStep,
  waitForClips,
} from './ask-again.server'
import { scheduleNextStep, writeAttempt, type Writer } from './attempts.server'
import { costsMoney } from './breaker.server'
import type { EngineCtx, LeasedAttempt } from './context'
import { scaled, type Incident, type Phase } from './incident'
import { decide, recoverDelay, type Action } from './policy'
import {
  changeToken,
  closeAndRequeue,
  holdRefused,
  noteDown,
  noteUnreadable,
} from './refused-orders.server'
import { failAttempt, requeueAttempt } from './settle.server'

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

const isAsking = (phase: Phase) => phase === 'poll' || phase === 'fetch'

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
