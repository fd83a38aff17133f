import { wordsOfBody, type Answer, type Reading, type Step } from '../http/answers'
import { asked, retryAfterMs } from '../http/retry-after'
import type { Fault } from '../port'
import { parseError, type WireError, type WireJobError } from './wire'

type Refusal = { step: Step; status: number; error: WireError; retryAfterMs: number | undefined }
type Row = { when: (refusal: Refusal) => boolean; fault: (refusal: Refusal) => Fault }

const BLOCKED = /sentinel_block|moderation|content_policy|content_filter|safety|guardrail/i
const NO_MODEL = /model_not_found|model mismatch|model .{0,80}(not found|does not exist)/i
const NO_FUNDS = /insufficient_quota|insufficient_credits|billing|exceeded your current quota/i
const NOT_YET = /still in.progress|not ready|not (yet )?(complete|available|finished)|in_progress/i

const is =
  (...codes: number[]) =>
  ({ status }: Refusal) =>
    codes.includes(status)
const says =
  (words: RegExp) =>
  ({ error }: Refusal) =>
    words.test(error.code ?? '') || words.test(error.message)
const both =
  (one: Row['when'], other: Row['when']): Row['when'] =>
  (refusal) =>
    one(refusal) && other(refusal)
const during =
  (step: Step): Row['when'] =>
  (refusal) =>
    refusal.step === step

const blocked = (stage: 'prompt' | 'output') => (code: string | undefined) =>
  ({ kind: 'content-blocked', stage, codes: code === undefined ? [] : [code] }) as const

/**
 * Maps rejections to faults; the first matching row applies. Whether the order may have been
 * accepted is decided by the status alone (see `acceptanceOfAnswer`).
 */
const ROWS: readonly Row[] = [
  {
    when: both(is(400, 403, 422), says(BLOCKED)),
    fault: ({ error }) => blocked('prompt')(error.code),
  },
  { when: both(is(400, 404, 422), both(during('submit'), says(NO_MODEL))), fault: modelGone },
  {
    when: both(is(422), during('fetch')),
    fault: () => ({ kind: 'permanent', reason: 'asset-gone' }),
  },
  { when: is(400, 413, 415, 422), fault: ({ error }) => invalidRequest(error) },
  { when: is(401), fault: () => ({ kind: 'unauthorized' }) },
  { when: is(402), fault: () => ({ kind: 'quota-exhausted', scope: 'account' }) },
  // Storage hosts respond like this when a signed URL has expired.
  {
    when: both(is(403), during('fetch')),
    fault: () => ({ kind: 'permanent', reason: 'asset-gone' }),
  },
  { when: is(403), fault: () => ({ kind: 'permanent', reason: 'forbidden' }) },
  { when: both(is(404), during('submit')), fault: modelGone },
  { when: both(is(404), during('poll')), fault: () => ({ kind: 'permanent', reason: 'job-gone' }) },
  { when: both(is(404), both(during('fetch'), says(NOT_YET))), fault: transient },
  {
    when: both(is(404, 410), during('fetch')),
    fault: () => ({ kind: 'permanent', reason: 'asset-gone' }),
  },
  {
    when: both(is(429), says(NO_FUNDS)),
    fault: () => ({ kind: 'quota-exhausted', scope: 'account' }),
  },
  {
    when: is(429),
    fault: ({ retryAfterMs }) => ({
      kind: 'rate-limited',
      scope: 'account',
      ...asked(retryAfterMs),
    }),
  },
  { when: is(408, 409, 425, 499), fault: transient },
  { when: ({ status }) => status >= 500, fault: transient },
]

/** Returns the fault for a rejection. `now` is milliseconds since 1970. */
export function readRefusal(step: Step, answer: Answer, now: number): Reading {
  const { body, status, headers } = answer
  const error = (body.is === 'json' ? parseError(body.value) : null) ?? {
    message: wordsOfBody(body),
  }
  const refusal: Refusal = { step, status, error, retryAfterMs: retryAfterMs(headers, now) }
  const fault: Fault = ROWS.find(({ when }) => when(refusal))?.fault(refusal) ?? {
    kind: 'permanent',
    reason: 'other',
  }
  const { message, code } = error
  return { fault, message: message || `status ${status}`, ...(code === undefined ? {} : { code }) }
}

/** Returns the fault for a failed job. An unexplained failure may not recur with a new order. */
export function readJobError({ code, message }: WireJobError): Fault {
  const words = `${code ?? ''} ${message ?? ''}`
  if (BLOCKED.test(words)) return blocked('output')(code)
  if (NO_FUNDS.test(words)) return { kind: 'quota-exhausted', scope: 'account' }
  if (/invalid_request|invalid_prompt|invalid_value/i.test(words))
    return { kind: 'invalid-request' }
  return { kind: 'transient' }
}

function modelGone(): Fault {
  return { kind: 'permanent', reason: 'model-gone' }
}

function transient({ retryAfterMs }: Refusal): Fault {
  return { kind: 'transient', ...asked(retryAfterMs) }
}

function invalidRequest({ field }: WireError): Fault {
  return { kind: 'invalid-request', ...(field === undefined ? {} : { field }) }
}
