import { jsonOf, wordsOfBody, type Answer, type Reading, type Step } from '../http/answers'
import { asked, retryAfterMs } from '../http/retry-after'
import type { Fault } from '../port'
import { blockedFault, explained } from './safety'
import { errorBody, type WireError } from './wire'

type Refusal = { step: Step; status: number; error: WireError; retryAfterMs: number | undefined }

type Row = { when: (refusal: Refusal) => boolean; fault: (refusal: Refusal) => Fault }

const says = (words: RegExp) => (refusal: Refusal) => words.test(refusal.error.message)
const status =
  (...codes: number[]) =>
  (refusal: Refusal) =>
    codes.includes(refusal.status)

/**
 * Maps rejections to faults; the first matching row applies. Whether the order may have been
 * accepted is decided by the status alone (see `acceptanceOfAnswer`).
 */
const ROWS: readonly Row[] = [
  {
    when: (refusal) =>
      refusal.status === 400 && blockedFault(refusal.error.message, 'prompt') !== null,
    fault: ({ error }) => blockedFault(error.message, 'prompt') ?? { kind: 'invalid-request' },
  },
  {
    when: ({ status, error }) => status === 400 && error.status === 'FAILED_PRECONDITION',
    fault: () => ({ kind: 'permanent', reason: 'forbidden' }),
  },
  {
    when: ({ status, error }) => status === 400 && reasonOf(error) === 'API_KEY_INVALID',
    fault: () => ({ kind: 'unauthorized' }),
  },
  { when: status(400, 413, 415), fault: ({ error }) => invalidRequest(error) },
  { when: status(401), fault: () => ({ kind: 'unauthorized' }) },
  { when: status(403), fault: () => ({ kind: 'permanent', reason: 'forbidden' }) },
  {
    when: ({ step, status }) => status === 404 && step === 'submit',
    fault: () => ({ kind: 'permanent', reason: 'model-gone' }),
  },
  {
    when: ({ step, status }) => (status === 404 || status === 410) && step === 'fetch',
    fault: () => ({ kind: 'permanent', reason: 'asset-gone' }),
  },
  {
    when: ({ step, status }) => status === 404 && step === 'poll',
    fault: () => ({ kind: 'permanent', reason: 'job-gone' }),
  },
  { when: status(402), fault: () => ({ kind: 'quota-exhausted', scope: 'account' }) },
  {
    when: (refusal) => refusal.status === 429 && says(/quota exceeded/i)(refusal),
    fault: ({ retryAfterMs }) => ({
      kind: 'rate-limited',
      scope: 'account',
      ...asked(retryAfterMs),
    }),
  },
  {
    when: status(429),
    fault: ({ retryAfterMs }) => ({
      kind: 'rate-limited',
      scope: 'service',
      ...asked(retryAfterMs),
    }),
  },
  {
    when: ({ status }) => status === 408 || status === 409 || status === 499 || status >= 500,
    fault: ({ retryAfterMs }) => ({ kind: 'transient', ...asked(retryAfterMs) }),
  },
]

/** Returns the fault for a rejection. `now` is milliseconds since 1970. */
export function readRefusal(step: Step, answer: Answer, now: number): Reading {
  const parsed = errorBody.safeParse(jsonOf(answer))
  const error: WireError = parsed.success
    ? parsed.data.error
    : { message: wordsOfBody(answer.body) }
  const refusal: Refusal = {
    step,
    status: answer.status,
    error,
    retryAfterMs: retryInfoMs(error) ?? retryAfterMs(answer.headers, now),
  }
  const row = ROWS.find(({ when }) => when(refusal))
  const fault: Fault = row?.fault(refusal) ?? { kind: 'permanent', reason: 'other' }
  const code = reasonOf(error) ?? error.status
  const message = error.message === '' ? `status ${answer.status}` : error.message
  return { fault, message: explained(message), ...(code === undefined ? {} : { code }) }
}

function reasonOf({ details }: WireError): string | undefined {
  return details?.find(({ reason }) => reason !== undefined)?.reason
}

function retryInfoMs({ details }: WireError): number | undefined {
  const delay = details?.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay
  const seconds = /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(delay ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

function invalidRequest({ message }: WireError): Fault {
  const field = /at '([\w.[\]]{1,60})'/.exec(message)?.[1]
  return { kind: 'invalid-request', ...(field === undefined ? {} : { field }) }
}

/** The codes of google.rpc.Status that a failed operation carries. */
const INVALID_ARGUMENT = 3
const PERMISSION_DENIED = 7
const RESOURCE_EXHAUSTED = 8
const UNAUTHENTICATED = 16

/** Returns the fault for an operation's own error. */
export function readOperationError(code: number | undefined, message: string): Fault {
  const blocked = blockedFault(message, 'unknown')
  switch (code) {
    case INVALID_ARGUMENT:
      return blocked ?? { kind: 'invalid-request' }
    case PERMISSION_DENIED:
      return { kind: 'permanent', reason: 'forbidden' }
    case UNAUTHENTICATED:
      return { kind: 'unauthorized' }
    case RESOURCE_EXHAUSTED:
      return { kind: 'transient' }
    default:
      return blocked ?? { kind: 'transient' }
  }
}
