import { classOf, statusIn, type ErrorClass } from '../reading/error-classes'
import { errorIn, type SaidError } from '../reading/errors'
import type { Acceptance, Fault } from '../port'
import {
  isSuccess,
  jsonOf,
  wordsOfBody,
  type HttpResponse,
  type Reading,
  type Step,
} from './responses'
import { asked, retryAfterMs } from './retry-after'

/** A refusal as rules see it. Adapters add what only their own rules need. */
export type Refusal = {
  step: Step
  /** Of the response; the one that its error names if the response itself claims success; else 200. */
  status: number
  /** Null if the words are unknown, or if they are not the server's own (the page of a proxy). */
  class: ErrorClass | null
  message: string
  code?: string | undefined
  /** The field of the order that the provider names. */
  field?: string | undefined
  retryAfterMs: number | undefined
}
type Condition<R = Refusal> = (refusal: R) => boolean
export type Rule<R extends Refusal = Refusal> = {
  when: Condition<R>
  fault: (refusal: R) => Fault
}

/** Returns the fault of the first rule that applies. */
export function firstFault<R extends Refusal>(rules: readonly Rule<R>[], refusal: R): Fault {
  const rule = rules.find(({ when }) => when(refusal))
  return rule?.fault(refusal) ?? { kind: 'permanent', reason: 'other' }
}

/** Applies to these statuses. */
export const is =
  (...statuses: number[]): Condition =>
  ({ status }) =>
    statuses.includes(status)

/** Applies to these statuses of one kind of request. */
const during =
  (step: Step, ...statuses: number[]): Condition =>
  (refusal) =>
    refusal.step === step && statuses.includes(refusal.status)

/** Applies if the message or the code matches. */
export const says =
  (words: RegExp): Condition =>
  ({ code, message }) =>
    words.test(code ?? '') || words.test(message)

/** Applies to what the table of classes calls so. */
const isAbout =
  (...classes: ErrorClass[]): Condition =>
  (refusal) =>
    refusal.class !== null && classes.includes(refusal.class)

/** Applies if both conditions do. */
export const both =
  <R extends Refusal>(one: Condition<R>, other: Condition<R>): Condition<R> =>
  (refusal) =>
    one(refusal) && other(refusal)

/** Returns the fault of an account whose credit is used up. */
export const quotaExhausted = (): Fault => ({ kind: 'quota-exhausted', scope: 'account' })

/** Returns the fault of a refused order, with the field if the provider names one. */
const invalidRequest = ({ field }: Refusal): Fault => ({
  kind: 'invalid-request',
  ...(field === undefined ? {} : { field }),
})

/** Returns the fault of too many requests, with the pause that the provider requests. */
export const rateLimited =
  (scope: 'account' | 'service') =>
  ({ retryAfterMs }: Refusal): Fault => ({ kind: 'rate-limited', scope, ...asked(retryAfterMs) })

/** Returns the fault of a refusal that may not recur, with the pause that the provider requests. */
const transient = ({ retryAfterMs }: Refusal): Fault => ({
  kind: 'transient',
  ...asked(retryAfterMs),
})

/** Returns the fault of content that was refused before anything was made. */
const blockedPrompt = ({ code }: Refusal): Fault => ({
  kind: 'content-blocked',
  stage: 'prompt',
  codes: code === undefined ? [] : [code],
})

const permanent = (reason: Extract<Fault, { kind: 'permanent' }>['reason']) => (): Fault => ({
  kind: 'permanent',
  reason,
})

/** The rules that are the same for every provider. Their place among the others is not. */
export const SHARED = {
  unauthorized: { when: is(401), fault: () => ({ kind: 'unauthorized' }) },
  notPaid: { when: is(402), fault: quotaExhausted },
  forbidden: { when: is(403), fault: permanent('forbidden') },
  modelGone: { when: during('submit', 404), fault: permanent('model-gone') },
  jobGone: { when: during('poll', 404, 410), fault: permanent('job-gone') },
  transient: {
    when: ({ status }) => [408, 409, 425, 499].includes(status) || status >= 500,
    fault: transient,
  },
} satisfies Record<string, Rule>

/** Returns the rule for a clip that its host no longer has. Providers use different statuses. */
export const assetGone = (...statuses: number[]): Rule => ({
  when: during('fetch', ...statuses),
  fault: permanent('asset-gone'),
})

const CLIENT_ERRORS = [200, 400, 403, 422] as const

/**
 * The rules for a server that nobody has tried: what it says decides where its words are known, its
 * status decides elsewhere. The first that applies does. Adapters put their own before them.
 */
export const COMMON_RULES: readonly Rule[] = [
  SHARED.unauthorized,
  SHARED.notPaid,
  { when: isAbout('credits'), fault: quotaExhausted },
  { when: isAbout('suspended'), fault: SHARED.forbidden.fault },
  { when: both(isAbout('moderation'), is(...CLIENT_ERRORS, 451, 500)), fault: blockedPrompt },
  { when: both(isAbout('key'), is(200, 400)), fault: SHARED.unauthorized.fault },
  {
    when: both(isAbout('model'), during('submit', 200, 400, 404, 422)),
    fault: SHARED.modelGone.fault,
  },
  { when: both(isAbout('rate'), is(...CLIENT_ERRORS)), fault: rateLimited('account') },
  // Storage hosts respond with 403 when a signed address has expired.
  {
    when: both(isAbout('not-ready'), during('fetch', 200, 400, 403, 404, 422)),
    fault: transient,
  },
  assetGone(403, 404, 410, 422),
  {
    when: both(isAbout('gone', 'missing'), during('fetch', 200, 400)),
    fault: permanent('asset-gone'),
  },
  { when: both(isAbout('not-ready'), during('poll', 200, 400, 404)), fault: transient },
  { when: both(isAbout('missing', 'gone'), during('poll', 200)), fault: SHARED.jobGone.fault },
  { when: both(isAbout('input'), is(200)), fault: invalidRequest },
  { when: is(400, 413, 415, 422), fault: invalidRequest },
  SHARED.forbidden,
  SHARED.modelGone,
  SHARED.jobGone,
  { when: is(429), fault: rateLimited('account') },
  // An error in a response that claims success, in words that are not known.
  { when: is(200), fault: transient },
  SHARED.transient,
]

/** Returns a refusal as rules see it. `said` is the server's own error, if it sent one. */
export function refusalOf(
  step: Step,
  response: HttpResponse,
  { said, now }: { said: SaidError | null; now: number },
): Refusal {
  const named = said === null ? null : statusIn(said)
  const code = said?.code ?? said?.type
  return {
    step,
    status: isSuccess(response) ? (named ?? 200) : response.status,
    class: said === null ? null : classOf(said),
    message: messageOf(said, response),
    code,
    field: said?.field,
    retryAfterMs: retryAfterMs(response.headers, now),
  }
}

/** The server's words; where it sends none, its status. */
function messageOf(said: SaidError | null, { status, body }: HttpResponse): string {
  if (said === null) return wordsOfBody(body)
  return said.message === '' ? `status ${status}` : said.message
}

type Rules = { now: number; own?: readonly Rule[] }

/**
 * Returns the fault for a refusal, also for one that claims success: `own` rules first, then those
 * for every server. `now` is milliseconds since 1970.
 */
export function readRefusal(step: Step, response: HttpResponse, { now, own = [] }: Rules): Reading {
  const refusal = refusalOf(step, response, { said: errorIn(jsonOf(response)), now })
  return readingOf(refusal, response, firstFault([...own, ...COMMON_RULES], refusal))
}

/** Puts a fault together with the words that led to it, and with what they say of an order. */
export function readingOf(refusal: Refusal, response: HttpResponse, fault: Fault): Reading {
  const { message, code } = refusal
  const words = isSuccess(response) ? `refused with status ${response.status}: ${message}` : message
  const acceptance = isSuccess(response) ? acceptanceIn(refusal) : undefined
  return {
    fault,
    message: words,
    ...(code === undefined ? {} : { code }),
    ...(acceptance === undefined ? {} : { acceptance }),
  }
}

/**
 * Returns whether an order may have been accepted by a complete answer that claims success, names an
 * error and no order. It was refused, unless the error is about what happened behind the server that
 * answered.
 */
function acceptanceIn({ status, ...refusal }: Refusal): Acceptance {
  return status >= 500 || refusal.class === 'broken' ? 'unknown' : 'rejected'
}
