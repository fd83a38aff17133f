import { seconds } from '~/lib/time'
import type { HttpResponse, Reading, Step } from '../http/responses'
import { both, is, quotaExhausted, readRefusal as readCommon, says } from '../http/refusals'
import { asked } from '../http/retry-after'
import type { SaidError } from '../reading/errors'
import { ProviderError, type Fault } from '../port'

/** A task may be polled once in five seconds, including failed polls. */
const POLL_GAP_MS = seconds(5)

/** Runway limits the tasks of a day per account, and says so with 429. */
const OWN_RULES = [{ when: both(is(429), says(/daily/i)), fault: quotaExhausted }]

type Circumstances = { now: number; timeScale: number }

/** Returns the fault for a rejection. `now` is milliseconds since 1970. */
export function readRefusal(
  step: Step,
  response: HttpResponse,
  { now, timeScale }: Circumstances,
): Reading {
  const reading = readCommon(step, response, { now, own: OWN_RULES })
  return step === 'poll' ? { ...reading, fault: spaced(reading.fault, timeScale) } : reading
}

/**
 * Returns the fault for a failed task's code, or null if it is none of Runway's about content. Then
 * the words decide.
 */
export function readFailureCode({ code = '' }: SaidError): Fault | null {
  if (!/^(SAFETY|INPUT_PREPROCESSING\.SAFETY)(\.|$)/i.test(code)) return null
  const stage = /OUTPUT/i.test(code) ? 'output' : /INPUT/i.test(code) ? 'prompt' : 'unknown'
  return { kind: 'content-blocked', stage, codes: [code] }
}

/** Also waits POLL_GAP_MS after an unanswered poll; other errors are unchanged. */
export function spacedError(error: unknown, timeScale: number): unknown {
  if (!(error instanceof ProviderError)) return error
  return new ProviderError(spaced(error.fault, timeScale), error.acceptance, error.evidence)
}

/** Our own pause is scaled, never the one that the provider requests. */
function spaced(fault: Fault, timeScale: number): Fault {
  if (fault.kind !== 'transient' && fault.kind !== 'rate-limited') return fault
  return { ...fault, ...asked(Math.max(POLL_GAP_MS * timeScale, fault.retryAfterMs ?? 0)) }
}
