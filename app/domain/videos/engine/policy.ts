import { assertNever } from '~/lib/assert-never'
import { minutes, seconds } from '~/lib/time'
import type { Acceptance, Fault, VideoProvider } from '~/platform/providers/port'
import type { FailureClass, GateReason } from '../types'

/** Failed attempts after which a generation is given up. */
const MAX_FAILED_ATTEMPTS = 3
/** Lost orders (no response, and not found at the provider) after which a generation is given up. */
export const MAX_LOST_ATTEMPTS = 6
/** Consecutive polls that must report an order as missing before it is treated as missing. */
const MAX_REFUSED_POLLS = 5

const NEW_ATTEMPT_DELAYS = [seconds(5), seconds(30)] as const
const STEP_DELAYS = [seconds(2), seconds(5), seconds(10), seconds(20), seconds(30)] as const
/** Between two tries to get a paid clip whose host does not respond, or asks for time. */
const CLIP_DELAYS = [seconds(2), seconds(5), seconds(10), seconds(20), seconds(40), seconds(60)]
/**
 * Between the reports that a paid clip is gone. The fifth comes ten minutes after the first: servers lag
 * behind each other, and mend.
 */
const GONE_DELAYS = [seconds(2), seconds(30), minutes(2), minutes(8)] as const
/** Any other refusal of a paid clip, or a document in its place: asked again less and less often. */
const NO_CLIP_DELAYS = [2, 30, 60, 120, 300, 600].map(seconds)
/** Between questions about an order that no token gets answers to: three minutes in all. */
const UNANSWERED_DELAYS = [seconds(10), seconds(20), seconds(30), seconds(60), seconds(60)] as const
const ASK_AGAIN_DELAYS = [seconds(30), seconds(60), seconds(120), seconds(240)] as const
/** Delays between look-ups of a lost order. The first is counted from the loss. */
const LOOK_UP_DELAYS = [seconds(5), seconds(25), seconds(40), seconds(50), seconds(40)] as const
const LATER_LOOK_UPS_MS = minutes(2)
/**
 * After this time a list shows a lost order or settles that there is none. By then, a process that was
 * still waiting for the response would have stored it.
 */
export const LIST_SETTLES_MS = seconds(150)
/** The least time for which a lost order is waited for that no list shows. */
const LEAST_WAIT_MS = minutes(3)
/** How many times as long as the slowest of the latest deliveries, but for one in a hundred. */
const SLOWEST_TIMES = 4

/** What a look-up of a lost order can show, and how long the provider takes, in milliseconds. */
type Lost = {
  recover: VideoProvider['can']['recover']
  slowestMs: number
  deadlineMs: number
  timeScale: number
}

/**
 * Returns after how many milliseconds a lost order is written off, as possibly paid. Where look-ups
 * show orders (`list`, `client-id`), the look-up settles it, and this only ends look-ups that fail.
 * Everywhere else it depends on how long the provider usually takes.
 */
export function writeOffAfter({ recover, slowestMs, deadlineMs, timeScale }: Lost): number {
  if (recover === 'list' || recover === 'client-id') return LIST_SETTLES_MS * timeScale + deadlineMs
  return Math.min(deadlineMs, Math.max(LEAST_WAIT_MS * timeScale, SLOWEST_TIMES * slowestMs))
}

/** The code of an order whose id the provider had given before. Operators see their number. */
export const REPEATED_ID = 'repeated-id'

const at = (delays: readonly number[], index: number) =>
  delays[Math.min(index, delays.length - 1)] ?? seconds(30)

/**
 * Returns the pause before a step is repeated: the one that the provider requests, else our own,
 * which grows. A request that is shorter than our first step counts as none: it would switch our own
 * off.
 */
const pause = (asked: number | undefined, delays: readonly number[], index: number) =>
  asked === undefined || asked < at(delays, 0) ? at(delays, index) : asked

export type Action =
  /** Repeats the same call. */
  | { do: 'retry-step'; afterMs: number }
  /**
   * The clip cannot be downloaded now. Waits; if other clips fail too, nothing new is ordered
   * meanwhile.
   */
  | { do: 'wait-for-clips'; afterMs: number }
  /**
   * The finished clip was refused, or what came is not a complete clip: asks for it again, if needed
   * for a fresh address first.
   * `isGone`: counts towards giving the clip up. `as`: how the video fails once the clip has expired.
   */
  | { do: 'fetch-again'; afterMs: number; asksFirst: boolean; isGone: boolean; as: FailureClass }
  /** The order produced no clip: sends a new one after a pause. Counts as a failed attempt. */
  | { do: 'new-attempt'; afterMs: number }
  /** Not caused by this video: closes the account or the whole service and requeues the video. */
  | { do: 'close'; reason: GateReason; wide: boolean; retryAfterMs?: number | undefined }
  /**
   * The provider refuses this order as it refuses those of an account without rights: caused by the
   * video or by the account. Requeues the video; others show which it is.
   */
  | { do: 'refused'; reason: 'forbidden' | 'model-gone'; wide: boolean }
  /** Finds out whether the token is dead, and continues with another one. */
  | { do: 'change-token' }
  /** The provider may have accepted the order: looks it up and never sends it again. */
  | { do: 'recover' }
  | { do: 'fail'; as: FailureClass }

type FaultSituation = {
  fault: Fault
  acceptance: Acceptance
  phase: 'submit' | 'poll' | 'fetch' | 'job'
  /** Whether the provider has reported that the order is finished and where its clip is. */
  hasClip: boolean
  /** Attempts of this generation that failed before this one. */
  failedAttempts: number
  /** How often the running step has been tried without a response. */
  stepTries: number
  /** Downloads that did not produce a complete clip. */
  fetchTries: number
  /** Those of them for which the clip was gone or broken. */
  goneTries: number
}

/** Maps a fault to the next action. All retry decisions are made here. */
export function decide(situation: FaultSituation): Action {
  const { fault, phase, failedAttempts, stepTries } = situation
  if (situation.hasClip) return decidePaidClip(situation)
  const isOrdered = phase === 'poll'
  switch (fault.kind) {
    case 'transient':
      return decideTransient(situation)
    case 'rate-limited':
      return isOrdered
        ? { do: 'retry-step', afterMs: pause(fault.retryAfterMs, STEP_DELAYS, stepTries) }
        : // Even if the provider calls itself too busy: it says so to one account, and others may pass.
          {
            do: 'close',
            reason: 'rate-limited',
            retryAfterMs: fault.retryAfterMs && pause(fault.retryAfterMs, STEP_DELAYS, 0),
            wide: false,
          }
    case 'quota-exhausted':
      return isOrdered
        ? { do: 'retry-step', afterMs: at(ASK_AGAIN_DELAYS, stepTries) }
        : { do: 'close', reason: 'quota', wide: false }
    case 'unauthorized':
      return { do: 'change-token' }
    case 'invalid-request':
      return isOrdered ? decidePermanent(situation, 'other') : { do: 'fail', as: 'input' }
    case 'content-blocked':
      // A refused sound track is often a false positive, so it is tried once more.
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
}: FaultSituation): Action {
  const asked = fault.kind === 'transient' ? fault.retryAfterMs : undefined
  if (phase === 'poll') return { do: 'retry-step', afterMs: pause(asked, STEP_DELAYS, stepTries) }
  if (phase === 'submit' && (acceptance === 'unknown' || acceptance === 'accepted'))
    return { do: 'recover' }
  // The provider could not be reached. The whole line waits for it.
  if (phase === 'submit' && acceptance === 'not-sent')
    return { do: 'close', reason: 'down', wide: true }
  if (failedAttempts + 1 >= MAX_FAILED_ATTEMPTS) {
    return { do: 'fail', as: phase === 'job' ? 'busy' : 'down' }
  }
  return { do: 'new-attempt', afterMs: pause(asked, NEW_ATTEMPT_DELAYS, failedAttempts) }
}

type PermanentReason = Extract<Fault, { kind: 'permanent' }>['reason']

function decidePermanent(situation: FaultSituation, reason: PermanentReason): Action {
  const { phase, stepTries } = situation
  // A paid order is not given up for one response, because the server that sent it may lag behind
  // others.
  if (phase === 'poll' && stepTries + 1 < MAX_REFUSED_POLLS) {
    return { do: 'retry-step', afterMs: at(STEP_DELAYS, stepTries) }
  }
  if (phase === 'submit' && reason === 'forbidden') return { do: 'refused', reason, wide: false }
  if (phase === 'submit' && reason === 'model-gone') return { do: 'refused', reason, wide: true }
  return { do: 'fail', as: 'unknown' }
}

/** Whether a fault says that a clip, or the order it belongs to, does not exist any more. */
export const isGone = (fault: Fault): boolean =>
  fault.kind === 'permanent' && (fault.reason === 'asset-gone' || fault.reason === 'job-gone')

/**
 * Returns the pause after something paid was reported as gone, in milliseconds; null if it is to be
 * given up. `reports` is the number of earlier reports.
 */
export const goneDelay = (reports: number): number | null => GONE_DELAYS[reports] ?? null

/**
 * Decides about a paid clip: the order is finished, whatever is asked now. It is given up early only if
 * it is gone or broken each time, five times over ten minutes. After every other answer it is asked for
 * again until it expires at its host.
 */
function decidePaidClip(situation: FaultSituation): Action {
  const { fault, phase, stepTries } = situation
  if (phase === 'job') return askAgain(situation)
  switch (fault.kind) {
    case 'transient': {
      const afterMs = pause(fault.retryAfterMs, CLIP_DELAYS, stepTries)
      return phase === 'fetch' ? { do: 'wait-for-clips', afterMs } : { do: 'retry-step', afterMs }
    }
    case 'rate-limited':
      return { do: 'retry-step', afterMs: pause(fault.retryAfterMs, CLIP_DELAYS, stepTries) }
    case 'quota-exhausted':
      return { do: 'retry-step', afterMs: at(ASK_AGAIN_DELAYS, stepTries) }
    case 'unauthorized':
      return { do: 'change-token' }
    case 'invalid-request':
    case 'content-blocked':
    case 'permanent':
      return askAgain(situation)
    default:
      return assertNever(fault)
  }
}

/** Asks for a clip again that was refused, or is no whole clip. */
function askAgain({ fault, phase, fetchTries, goneTries }: FaultSituation): Action {
  const as = fault.kind === 'content-blocked' ? 'policy' : 'down'
  // An expired address never works again, so a fresh one is requested. After the first broken
  // download the same address is tried once more, as it is if no fresh one is to be had.
  const asksFirst = phase === 'fetch' ? isGone(fault) || fetchTries > 0 : goneTries > 0
  const isBroken = fault.kind === 'permanent' && fault.reason === 'broken-clip'
  // A finished order that is reported as failed has no clip any more.
  if (!isGone(fault) && !isBroken && phase !== 'job') {
    const afterMs = at(NO_CLIP_DELAYS, fetchTries)
    return { do: 'fetch-again', afterMs, asksFirst, isGone: false, as }
  }
  const afterMs = goneDelay(goneTries)
  if (afterMs === null) return { do: 'fail', as: 'unknown' }
  return { do: 'fetch-again', afterMs, asksFirst, isGone: true, as }
}

/**
 * Returns the delay before an order is asked for again that no token gets answers to, in
 * milliseconds; null if it is to be written off. A paid clip that nobody can reach is gone.
 */
export const unansweredDelay = (tries: number, hasClip: boolean): number | null =>
  hasClip ? goneDelay(tries) : (UNANSWERED_DELAYS[tries] ?? null)

/** Returns the delay before a finished clip is fetched again, in milliseconds. */
export const clipDelay = (tries: number): number => at(CLIP_DELAYS, tries)

/**
 * Returns the delay before look-up number `lookups` (from 0) of a lost order, in milliseconds. The
 * first look-up is immediate if the provider accepts our own ids.
 */
export function recoverDelay(lookups: number, byOwnId: boolean): number {
  if (byOwnId) return lookups === 0 ? 0 : at(STEP_DELAYS, lookups)
  return LOOK_UP_DELAYS[lookups] ?? LATER_LOOK_UPS_MS
}
