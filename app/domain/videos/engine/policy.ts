import { assertNever } from '~/lib/assert-never'
import { minutes, seconds } from '~/lib/time'
import type { Acceptance, Fault } from '~/platform/providers/port'
import type { FailureClass } from '../types'

/** Definite failures of one generation before it is given up (reliability rule: three attempts). */
const MAX_FAILED_ATTEMPTS = 3
/** Orders of one generation of which no answer came and which were not taken, before it is given up. */
export const MAX_LOST_ATTEMPTS = 6
/** Downloads that brought something else than a whole clip before the clip is given up. */
const MAX_FETCH_TRIES = 3
/** How many answers in a row must say that an order does not exist before that is believed. */
const MAX_REFUSED_POLLS = 5

const NEW_ATTEMPT_DELAYS = [seconds(5), seconds(30), seconds(120)] as const
const STEP_DELAYS = [seconds(2), seconds(5), seconds(10), seconds(20), seconds(30)] as const
/** A finished clip is paid: its host is asked until the clip has expired there. */
const CLIP_DELAYS = [seconds(2), seconds(5), seconds(10), seconds(20), seconds(40), seconds(60)]
const BROKEN_CLIP_DELAYS = [seconds(2), seconds(30)] as const
const ASK_AGAIN_DELAYS = [seconds(30), seconds(60), seconds(120), seconds(240)] as const
/** When to look for an order whose answer was lost, counted from the loss. */
const LOOK_UP_DELAYS = [seconds(5), seconds(25), seconds(40), seconds(50), seconds(40)] as const
const LATER_LOOK_UPS_MS = minutes(2)
/**
 * An order that cannot be looked for is written off this long after the last moment at which it can
 * have been made. A process that is still waiting for the answer would have stored it by then.
 */
export const WRITE_OFF_MS = seconds(150)

const at = (delays: readonly number[], index: number) =>
  delays[Math.min(index, delays.length - 1)] ?? seconds(30)

/** Why a gate is closed. */
export type GateReason =
  | 'rate-limited'
  | 'quota'
  | 'forbidden'
  | 'model-gone'
  | 'down'
  | 'token'
  /** Finished clips cannot be fetched. */
  | 'clips'

export type Action =
  /** Ask the same question again. */
  | { do: 'retry-step'; afterMs: number }
  /** The clip's host is away: wait, and let nothing more be bought meanwhile. */
  | { do: 'wait-for-clips'; afterMs: number }
  /** The download brought no whole clip: begin anew, where needed with a fresh address. */
  | { do: 'fetch-anew'; afterMs: number; asksFirst: boolean }
  /** The order brought nothing: send a new one after a while. Counts as a failed attempt. */
  | { do: 'new-attempt'; afterMs: number }
  /** Not this video's fault: close the account, or the whole service, and put the video back. */
  | { do: 'close'; reason: GateReason; wide: boolean; retryAfterMs?: number | undefined }
  /** The token is dead: note that and go on with another one. */
  | { do: 'change-token' }
  /** The order may have been taken: look for it, never send it again. */
  | { do: 'recover' }
  | { do: 'fail'; as: FailureClass }

type Situation = {
  fault: Fault
  acceptance: Acceptance
  phase: 'submit' | 'poll' | 'fetch' | 'job'
  /** Attempts of this generation that failed before this one. */
  failedAttempts: number
  /** How often the running step has been tried without an answer. */
  stepTries: number
  /** Downloads that brought something else than a whole clip. */
  fetchTries: number
}

/** The one table from what went wrong to what happens next. */
export function decide(situation: Situation): Action {
  const { fault, phase, failedAttempts, stepTries } = situation
  const asking = phase === 'poll' || phase === 'fetch'
  switch (fault.kind) {
    case 'transient':
      return decideTransient(situation)
    case 'rate-limited':
      return asking
        ? { do: 'retry-step', afterMs: fault.retryAfterMs ?? at(STEP_DELAYS, stepTries) }
        : {
            do: 'close',
            reason: 'rate-limited',
            retryAfterMs: fault.retryAfterMs,
            wide: fault.scope === 'service',
          }
    case 'quota-exhausted':
      return asking
        ? { do: 'retry-step', afterMs: at(ASK_AGAIN_DELAYS, stepTries) }
        : { do: 'close', reason: 'quota', wide: false }
    case 'unauthorized':
      return { do: 'change-token' }
    case 'invalid-request':
      return asking ? decidePermanent(situation, 'other') : { do: 'fail', as: 'input' }
    case 'content-blocked':
      // A refused sound track is often a false alarm; one more try is worth it.
      return fault.stage === 'audio' && failedAttempts === 0
        ? { do: 'new-attempt', afterMs: at(NEW_ATTEMPT_DELAYS, 0) }
        : { do: 'fail', as: 'policy' }
    case 'permanent':
      return decidePermanent(situation, fault.reason)
    default:
      return assertNever(fault)
  }
}

function decideTransient({
  fault,
  acceptance,
  phase,
  failedAttempts,
  stepTries,
}: Situation): Action {
  const asked = fault.kind === 'transient' ? fault.retryAfterMs : undefined
  if (phase === 'poll') return { do: 'retry-step', afterMs: asked ?? at(STEP_DELAYS, stepTries) }
  if (phase === 'fetch') {
    return { do: 'wait-for-clips', afterMs: asked ?? at(CLIP_DELAYS, stepTries) }
  }
  if (phase === 'submit' && (acceptance === 'unknown' || acceptance === 'accepted'))
    return { do: 'recover' }
  // Nobody could be reached: the line waits for the provider.
  if (phase === 'submit' && acceptance === 'not-sent')
    return { do: 'close', reason: 'down', wide: true }
  if (failedAttempts + 1 >= MAX_FAILED_ATTEMPTS) {
    return { do: 'fail', as: phase === 'job' ? 'busy' : 'down' }
  }
  return { do: 'new-attempt', afterMs: asked ?? at(NEW_ATTEMPT_DELAYS, failedAttempts) }
}

type PermanentReason = Extract<Fault, { kind: 'permanent' }>['reason']

function decidePermanent(
  { phase, stepTries, fetchTries }: Situation,
  reason: PermanentReason,
): Action {
  if (phase === 'fetch') {
    if (fetchTries + 1 >= MAX_FETCH_TRIES) return { do: 'fail', as: 'unknown' }
    // An address that has run out never works again; another clip may come from the same one.
    const asksFirst = reason === 'asset-gone' || fetchTries > 0
    return { do: 'fetch-anew', afterMs: at(BROKEN_CLIP_DELAYS, fetchTries), asksFirst }
  }
  // A paid order is not given up for one answer: the server that gave it may be behind the others.
  if (phase === 'poll' && stepTries + 1 < MAX_REFUSED_POLLS) {
    return { do: 'retry-step', afterMs: at(STEP_DELAYS, stepTries) }
  }
  // The operator's trouble: a hundred prompts must not fail for it.
  if (phase === 'submit' && reason === 'forbidden') return { do: 'close', reason, wide: false }
  if (phase === 'submit' && reason === 'model-gone') return { do: 'close', reason, wide: true }
  return { do: 'fail', as: 'unknown' }
}

/** When to look for a lost order for the n-th time (from 0); at once where ids are our own. */
export function recoverDelay(lookups: number, byOwnId: boolean): number {
  if (byOwnId) return lookups === 0 ? 0 : at(STEP_DELAYS, lookups)
  return LOOK_UP_DELAYS[lookups] ?? LATER_LOOK_UPS_MS
}
