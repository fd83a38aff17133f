import { jsonOf, type HttpResponse, type Reading, type Step } from '../http/responses'
import {
  assetGone,
  both,
  COMMON_RULES,
  firstFault,
  is,
  rateLimited,
  readingOf,
  refusalOf,
  says,
  SHARED,
  type Refusal,
  type Rule,
} from '../http/refusals'
import { pauseOf } from '../http/retry-after'
import { errorIn } from '../reading/errors'
import type { Fault } from '../port'
import { blockedFault, explained } from './safety'
import { errorBody, type WireError } from './wire'

type GoogleRefusal = Refusal & { error: WireError }

/** What is peculiar to Google. The first rule that applies decides; then those for every server. */
const OWN_RULES: readonly Rule<GoogleRefusal>[] = [
  {
    when: ({ status, message }) => status === 400 && blockedFault(message, 'prompt') !== null,
    fault: ({ message }) => blockedFault(message, 'prompt') ?? { kind: 'invalid-request' },
  },
  {
    when: ({ status, error }) => status === 400 && error.status === 'FAILED_PRECONDITION',
    fault: SHARED.forbidden.fault,
  },
  {
    when: ({ status, error }) => status === 400 && reasonOf(error) === 'API_KEY_INVALID',
    fault: SHARED.unauthorized.fault,
  },
  // The bucket, not an expired address: its clips have none.
  SHARED.forbidden,
  SHARED.modelGone,
  assetGone(404, 410),
  { when: both(is(429), says(/quota exceeded/i)), fault: rateLimited('account') },
  { when: is(429), fault: rateLimited('service') },
]

/** Returns the fault for a rejection. `now` is milliseconds since 1970. */
export function readRefusal(step: Step, response: HttpResponse, now: number): Reading {
  const body = jsonOf(response)
  const parsed = errorBody.safeParse(Array.isArray(body) ? body[0] : body)
  const error: WireError = parsed.success ? parsed.data.error : { message: '' }
  const known = refusalOf(step, response, { said: errorIn(body), now })
  const refusal = {
    ...known,
    field: fieldIn(known.message) ?? known.field,
    code: reasonOf(error) ?? error.status ?? known.code,
    retryAfterMs: pauseOf(retryInfoMs(error)) ?? known.retryAfterMs,
    error,
  }
  const fault = firstFault<GoogleRefusal>([...OWN_RULES, ...COMMON_RULES], refusal)
  return readingOf({ ...refusal, message: explained(known.message) }, response, fault)
}

function reasonOf({ details }: WireError): string | undefined {
  return details?.find(({ reason }) => reason !== undefined)?.reason
}

function retryInfoMs({ details }: WireError): number | undefined {
  const delay = details?.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay
  const seconds = /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(delay ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

function fieldIn(message: string): string | undefined {
  return /at '([\w.[\]]{1,60})'/.exec(message)?.[1]
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
