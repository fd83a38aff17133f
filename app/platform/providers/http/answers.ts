import { ProviderError, type Acceptance, type Evidence, type Fault, type PollResult } from '../port'
import { redact } from './redact'

/** What is being asked of the provider; decides how an error has to be read. */
export type Step = 'submit' | 'poll' | 'fetch' | 'find' | 'check'

export type Body =
  | { is: 'json'; value: unknown }
  /** Whole, but not JSON. */
  | { is: 'other'; text: string }
  /** Ended before its end. */
  | { is: 'cut'; reason: string }
  | { is: 'too-large' }

export type Answer = {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Body
}

/** A fault with the words and codes it was recognised by; what a row of an error table gives. */
export type Reading = { fault: Fault; message: string; code?: string }

const REJECTED = new Set([301, 302, 307, 308, 400, 401, 402, 403, 404, 413, 415, 422, 429])

const OUTSIDE_SUBMIT: Record<Exclude<Step, 'submit'>, Acceptance> = {
  poll: 'accepted',
  fetch: 'accepted',
  find: 'unknown',
  check: 'not-sent',
}

/**
 * Whether the provider may have taken the order, judged by what it answered. Only statuses that say
 * "not done" count as a refusal: 502 and 504 come from a proxy that cannot know, and 503 is believed
 * only in the provider's own words.
 */
export function acceptanceOfAnswer(step: Step, { status, body }: Answer): Acceptance {
  if (step !== 'submit') return OUTSIDE_SUBMIT[step]
  if (REJECTED.has(status)) return 'rejected'
  return status === 503 && isOwnError(body) ? 'rejected' : 'unknown'
}

/** Whether the order may have been taken when no answer came. `left`: bytes may have gone out. */
export function acceptanceOfSilence(step: Step, left: boolean): Acceptance {
  if (step !== 'submit') return OUTSIDE_SUBMIT[step]
  return left ? 'unknown' : 'not-sent'
}

/** The acceptance of a refusal that never became a request: our own limits, a dead sign-in. */
export function acceptanceUnsent(step: Step): Acceptance {
  return acceptanceOfSilence(step, false)
}

type Refused = { step: Step; answer: Answer; reading: Reading; secrets: readonly string[] }

/** The error for an answer that was no success. Its words are redacted and short. */
export function answerError({ step, answer, reading, secrets }: Refused): ProviderError {
  const requestId = answer.headers['x-request-id'] ?? answer.headers['request-id']
  const evidence: Evidence = {
    status: answer.status,
    message: redact(reading.message, secrets),
    ...(reading.code === undefined ? {} : { code: redact(reading.code, secrets) }),
    ...(requestId === undefined ? {} : { requestId: redact(requestId, secrets) }),
  }
  return new ProviderError(reading.fault, acceptanceOfAnswer(step, answer), evidence)
}

/** A job's result without anything secret in its words. */
export function cleaned(result: PollResult, secrets: readonly string[]): PollResult {
  if (result.state !== 'failed') return result
  const { message, code } = result.evidence
  const evidence: Evidence = {
    ...result.evidence,
    message: redact(message, secrets),
    ...(code === undefined ? {} : { code: redact(code, secrets) }),
  }
  return { ...result, evidence }
}

/** The first words of a body that was no JSON, or why there are none. */
export function wordsOfBody(body: Body): string {
  switch (body.is) {
    case 'json':
      return JSON.stringify(body.value)
    case 'other':
      return body.text === '' ? 'an empty answer' : body.text
    case 'cut':
      return `the answer broke off (${body.reason})`
    case 'too-large':
      return 'the answer is larger than any answer should be'
  }
}

/** An answer that should have been a success but cannot be read. */
export function unreadable(step: Step, { status, body }: Answer): Reading {
  const message = `unreadable answer with status ${status}: ${wordsOfBody(body)}`
  // A lost order must be looked for, and a broken or foreign page may be gone the next time; an
  // answer that is whole and makes no sense will make none tomorrow.
  const lasting = step !== 'submit' && (body.is === 'too-large' || body.is === 'json')
  const fault: Fault = lasting ? { kind: 'permanent', reason: 'protocol' } : { kind: 'transient' }
  return { fault, message }
}

function isOwnError(body: Body): boolean {
  if (body.is !== 'json' || typeof body.value !== 'object' || body.value === null) return false
  return 'error' in body.value || 'detail' in body.value
}
