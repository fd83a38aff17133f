import { seconds } from '~/lib/time'
import { jsonOf, wordsOfBody, type Answer, type Reading, type Step } from '../http/answers'
import {
  assetGone,
  both,
  firstFault,
  invalidRequest,
  is,
  quotaExhausted,
  rateLimited,
  says,
  SHARED,
  type Rule,
} from '../http/refusals'
import { retryAfterMs } from '../http/retry-after'
import { ProviderError, type Fault } from '../port'
import { errorBody } from './wire'

/** A task may be polled once in five seconds, including failed polls. */
const POLL_GAP_MS = seconds(5)

const NO_FUNDS = /enough credits|out of credits|insufficient credits|credit balance/i
const DAY_SPENT = /daily/i
const BLOCKED = /moderation|safety|content policy/i

/** The first rule that applies decides. */
const RULES: readonly Rule[] = [
  { when: both(is(400, 402, 403), says(NO_FUNDS)), fault: quotaExhausted },
  {
    when: both(is(400), says(BLOCKED)),
    fault: () => ({ kind: 'content-blocked', stage: 'prompt', codes: [] }),
  },
  { when: is(400, 413, 415, 422), fault: invalidRequest },
  SHARED.unauthorized,
  SHARED.notPaid,
  assetGone(403, 404, 410),
  SHARED.forbidden,
  SHARED.modelGone,
  SHARED.jobGone,
  { when: both(is(429), says(DAY_SPENT)), fault: quotaExhausted },
  { when: is(429), fault: rateLimited('account') },
  SHARED.transient,
]

type Circumstances = { now: number; timeScale: number }

/** Returns the fault for a rejection. `now` is milliseconds since 1970. */
export function readRefusal(
  step: Step,
  answer: Answer,
  { now, timeScale }: Circumstances,
): Reading {
  const { status, headers, body } = answer
  const parsed = errorBody.safeParse(jsonOf(answer))
  const message = parsed.success ? parsed.data.error : wordsOfBody(body)
  const wanted = retryAfterMs(headers, now)
  // Our own pause is scaled, never the one that the provider requests.
  const pause = step === 'poll' ? Math.max(POLL_GAP_MS * timeScale, wanted ?? 0) : wanted
  return { fault: firstFault(RULES, { step, status, message, retryAfterMs: pause }), message }
}

/**
 * Returns the fault for a failed task's code. An unknown failure may not recur with a new order.
 */
export function readFailureCode(code: string | undefined): Fault {
  if (code === undefined || !/^(SAFETY|INPUT_PREPROCESSING\.SAFETY)(\.|$)/.test(code)) {
    return { kind: 'transient' }
  }
  const stage = code.includes('OUTPUT') ? 'output' : code.includes('INPUT') ? 'prompt' : 'unknown'
  return { kind: 'content-blocked', stage, codes: [code] }
}

/** As it came, but a question that got no answer is not repeated within the gap either. */
export function spacedError(error: unknown, timeScale: number): unknown {
  if (!(error instanceof ProviderError) || error.fault.kind !== 'transient') return error
  const retryAfterMs = Math.max(POLL_GAP_MS * timeScale, error.fault.retryAfterMs ?? 0)
  return new ProviderError({ kind: 'transient', retryAfterMs }, error.acceptance, error.evidence)
}
