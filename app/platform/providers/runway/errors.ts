import { seconds } from '~/lib/time'
import { jsonOf, wordsOfBody, type Answer, type Reading, type Step } from '../http/answers'
import { asked, retryAfterMs } from '../http/retry-after'
import { ProviderError, type Fault } from '../port'
import { errorBody } from './wire'

/** A task may be polled once in five seconds, including failed polls. */
const POLL_GAP_MS = seconds(5)

type Refusal = {
  step: Step
  status: number
  message: string
  retryAfterMs: number | undefined
  /** Multiplies our own pauses, never those that the provider requests. */
  timeScale: number
}
type Row = { when: (refusal: Refusal) => boolean; fault: (refusal: Refusal) => Fault }

const NO_FUNDS = /enough credits|out of credits|insufficient credits|credit balance/i
const DAY_SPENT = /daily/i
const BLOCKED = /moderation|safety|content policy/i

/**
 * Maps rejections to faults; the first matching row applies. Whether the order may have been
 * accepted is decided by the status alone (see `acceptanceOfAnswer`).
 */
const ROWS: readonly Row[] = [
  {
    when: ({ status, message }) => [400, 402, 403].includes(status) && NO_FUNDS.test(message),
    fault: () => ({ kind: 'quota-exhausted', scope: 'account' }),
  },
  {
    when: ({ status, message }) => status === 400 && BLOCKED.test(message),
    fault: () => ({ kind: 'content-blocked', stage: 'prompt', codes: [] }),
  },
  { when: is(400, 413, 415, 422), fault: () => ({ kind: 'invalid-request' }) },
  { when: is(401), fault: () => ({ kind: 'unauthorized' }) },
  { when: is(402), fault: () => ({ kind: 'quota-exhausted', scope: 'account' }) },
  {
    when: ({ step, status }) => step === 'fetch' && [403, 404, 410].includes(status),
    fault: () => ({ kind: 'permanent', reason: 'asset-gone' }),
  },
  { when: is(403), fault: () => ({ kind: 'permanent', reason: 'forbidden' }) },
  {
    when: ({ step, status }) => step === 'submit' && status === 404,
    fault: () => ({ kind: 'permanent', reason: 'model-gone' }),
  },
  {
    when: ({ step, status }) => step === 'poll' && status === 404,
    fault: () => ({ kind: 'permanent', reason: 'job-gone' }),
  },
  {
    when: ({ status, message }) => status === 429 && DAY_SPENT.test(message),
    fault: () => ({ kind: 'quota-exhausted', scope: 'account' }),
  },
  {
    when: is(429),
    fault: (refusal) => ({ kind: 'rate-limited', scope: 'account', ...spaced(refusal) }),
  },
  {
    when: ({ status }) => [408, 409, 499].includes(status) || status >= 500,
    fault: (refusal) => ({ kind: 'transient', ...spaced(refusal) }),
  },
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
  const refusal: Refusal = { step, status, message, retryAfterMs: wanted, timeScale }
  const row = ROWS.find(({ when }) => when(refusal))
  return { fault: row?.fault(refusal) ?? { kind: 'permanent', reason: 'other' }, message }
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

function is(...codes: number[]) {
  return ({ status }: Refusal): boolean => codes.includes(status)
}

function spaced({ step, retryAfterMs: wanted, timeScale }: Refusal): { retryAfterMs?: number } {
  return asked(step === 'poll' ? Math.max(POLL_GAP_MS * timeScale, wanted ?? 0) : wanted)
}

/** As it came, but a question that got no answer is not repeated within the gap either. */
export function spacedError(error: unknown, timeScale: number): unknown {
  if (!(error instanceof ProviderError) || error.fault.kind !== 'transient') return error
  const retryAfterMs = Math.max(POLL_GAP_MS * timeScale, error.fault.retryAfterMs ?? 0)
  return new ProviderError({ kind: 'transient', retryAfterMs }, error.acceptance, error.evidence)
}
