import { excerpt } from '~/lib/text'
import { ProviderError, type Acceptance, type Evidence, type Fault, type PollResult } from '../port'
import { redact } from './redact'

/** The kind of request to the provider. It decides how an error is interpreted. */
export type Step = 'submit' | 'poll' | 'fetch' | 'find' | 'check'

export type Body =
  | { is: 'json'; value: unknown }
  /** Complete, but not JSON. */
  | { is: 'other'; text: string }
  /** Truncated. */
  | { is: 'cut'; reason: string }
  | { is: 'too-large' }

export type HttpResponse = {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Body
}

export const isSuccess = ({ status }: Pick<HttpResponse, 'status'>): boolean =>
  status >= 200 && status < 300

/** Returns the JSON value of a response, or null if it has none. */
export const jsonOf = ({ body }: Pick<HttpResponse, 'body'>): unknown =>
  body.is === 'json' ? body.value : null

/** A fault with the message and code that identified it: the result of an adapter's error table. */
export type Reading = {
  fault: Fault
  message: string
  code?: string
  /** What the words say of an order, where the status alone does not: an error with status 200. */
  acceptance?: Acceptance
}

const REJECTED = new Set([301, 302, 307, 308, 400, 401, 402, 403, 404, 413, 415, 422, 429])

const OUTSIDE_SUBMIT: Record<Exclude<Step, 'submit'>, Acceptance> = {
  poll: 'accepted',
  fetch: 'accepted',
  find: 'unknown',
  check: 'not-sent',
}

/**
 * Returns whether the provider may have accepted the order, judged by its response. Only statuses
 * that mean "not done" count as a rejection. 502 and 504 come from a proxy, which cannot know. 503
 * counts only with an error body of the provider itself.
 */
export function acceptanceOfResponse(step: Step, { status, body }: HttpResponse): Acceptance {
  if (step !== 'submit') return OUTSIDE_SUBMIT[step]
  if (REJECTED.has(status)) return 'rejected'
  return status === 503 && isOwnError(body) ? 'rejected' : 'unknown'
}

/**
 * Returns whether the order may have been accepted when no response came. `left`: bytes may have
 * been sent.
 */
export function acceptanceWithoutResponse(step: Step, left: boolean): Acceptance {
  if (step !== 'submit') return OUTSIDE_SUBMIT[step]
  return left ? 'unknown' : 'not-sent'
}

/**
 * Returns the acceptance for a failure before any request was sent: our own limits, a failed
 * sign-in.
 */
export function acceptanceUnsent(step: Step): Acceptance {
  return acceptanceWithoutResponse(step, false)
}

type Refused = { step: Step; response: HttpResponse; reading: Reading; secrets: readonly string[] }

/** Returns the error for an unsuccessful response, with redacted and shortened texts. */
export function responseError({ step, response, reading, secrets }: Refused): ProviderError {
  const requestId = response.headers['x-request-id'] ?? response.headers['request-id']
  const evidence: Evidence = {
    status: response.status,
    message: redact(reading.message, secrets),
    ...(reading.code === undefined ? {} : { code: redact(reading.code, secrets) }),
    ...(requestId === undefined ? {} : { requestId: redact(requestId, secrets) }),
  }
  const read = step === 'submit' ? reading.acceptance : undefined
  return new ProviderError(reading.fault, read ?? acceptanceOfResponse(step, response), evidence)
}

const LONGEST_WORD = 40

/** Returns a poll result with all secrets redacted from its texts. */
export function cleaned(result: PollResult, secrets: readonly string[]): PollResult {
  const { strangeWord } = result
  const word =
    strangeWord === undefined
      ? {}
      : { strangeWord: excerpt(redact(strangeWord, secrets), LONGEST_WORD) }
  if (result.state !== 'failed') return { ...result, ...word }
  const { message, code } = result.evidence
  const evidence: Evidence = {
    ...result.evidence,
    message: redact(message, secrets),
    ...(code === undefined ? {} : { code: redact(code, secrets) }),
  }
  return { ...result, evidence }
}

/** Returns a body as text for an error message, or why there is none. */
export function wordsOfBody(body: Body): string {
  switch (body.is) {
    case 'json':
      return JSON.stringify(body.value)
    case 'other':
      return body.text === '' ? 'an empty response' : body.text
    case 'cut':
      return `the response was cut off (${body.reason})`
    case 'too-large':
      return 'the response is too large'
  }
}

/** Returns the fault for a response that should have been a success but cannot be interpreted. */
export function unreadable(step: Step, { status, body }: HttpResponse): Reading {
  const message = `unreadable answer with status ${status}: ${wordsOfBody(body)}`
  // After a submit the order must be looked up. A truncated response or a page of a proxy may be
  // gone at the next try. A complete JSON response that makes no sense will not improve.
  const lasting = step !== 'submit' && (body.is === 'too-large' || body.is === 'json')
  const fault: Fault = lasting ? { kind: 'permanent', reason: 'protocol' } : { kind: 'transient' }
  return { fault, message }
}

function isOwnError(body: Body): boolean {
  if (body.is !== 'json' || typeof body.value !== 'object' || body.value === null) return false
  return 'error' in body.value || 'detail' in body.value
}
