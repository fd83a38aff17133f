import { wordsOfBody, type Answer, type Reading, type Step } from '../http/answers'
import {
  assetGone,
  both,
  during,
  firstFault,
  invalidRequest,
  is,
  quotaExhausted,
  rateLimited,
  says,
  SHARED,
  transient,
  type Rule,
} from '../http/refusals'
import { retryAfterMs } from '../http/retry-after'
import type { Fault } from '../port'
import { parseError, type WireError, type WireJobError } from './wire'

const BLOCKED = /sentinel_block|moderation|content_policy|content_filter|safety|guardrail/i
const NO_MODEL = /model_not_found|model mismatch|model .{0,80}(not found|does not exist)/i
const NO_FUNDS = /insufficient_quota|insufficient_credits|billing|exceeded your current quota/i
const NOT_YET = /still in.progress|not ready|not (yet )?(complete|available|finished)|in_progress/i

const blocked = (stage: 'prompt' | 'output') => (code: string | undefined) =>
  ({ kind: 'content-blocked', stage, codes: code === undefined ? [] : [code] }) as const

/** The first rule that applies decides. */
const RULES: readonly Rule[] = [
  { when: both(is(400, 403, 422), says(BLOCKED)), fault: ({ code }) => blocked('prompt')(code) },
  { when: both(during('submit', 400, 404, 422), says(NO_MODEL)), fault: SHARED.modelGone.fault },
  // Storage hosts respond with 403 when a signed URL has expired.
  assetGone(403, 422),
  { when: is(400, 413, 415, 422), fault: invalidRequest },
  SHARED.unauthorized,
  SHARED.notPaid,
  SHARED.forbidden,
  SHARED.modelGone,
  SHARED.jobGone,
  { when: both(during('fetch', 404), says(NOT_YET)), fault: transient },
  assetGone(404, 410),
  { when: both(is(429), says(NO_FUNDS)), fault: quotaExhausted },
  { when: is(429), fault: rateLimited('account') },
  { when: is(425), fault: transient },
  SHARED.transient,
]

/** Returns the fault for a rejection. `now` is milliseconds since 1970. */
export function readRefusal(step: Step, answer: Answer, now: number): Reading {
  const { body, status, headers } = answer
  const error: WireError = (body.is === 'json' ? parseError(body.value) : null) ?? {
    message: wordsOfBody(body),
  }
  const refusal = { step, status, ...error, retryAfterMs: retryAfterMs(headers, now) }
  const fault = firstFault(RULES, refusal)
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
