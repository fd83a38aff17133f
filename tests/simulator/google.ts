import { createHash } from 'node:crypto'
import type { Reply } from './exchange'
import type { Spelling } from './simulation'

// Google's front end as captured: the headers of every response, and the format of errors.

const HEADERS = {
  'content-type': 'application/json; charset=UTF-8',
  vary: 'Origin, X-Origin, Referer',
  server: 'scaffolding on HTTPServer2',
  'x-xss-protection': '0',
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
}

/** Returns pretty-printed JSON, as Google sends it. */
export const google = (status: number, value: unknown): Reply => ({
  status,
  headers: HEADERS,
  body: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
})

const CANONICAL: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

type Detail = Record<string, unknown>
type Words = { message: string; status?: string | undefined; details?: readonly Detail[] }

export function googleError(code: number, { message, status, details }: Words): Reply {
  const canonical = status ?? CANONICAL[code] ?? 'UNKNOWN'
  return google(code, {
    error: {
      code,
      message,
      status: canonical,
      ...(details && details.length > 0 ? { details } : {}),
    },
  })
}

const errorInfo = (reason: string): Detail => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com',
  metadata: { service: 'aiplatform.googleapis.com' },
})

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'Request contains an invalid argument.',
  403: "Permission 'aiplatform.endpoints.predict' denied on resource (or it may not exist).",
  404: 'Requested entity was not found.',
  429: 'Resource exhausted. Please try again later. Please refer to https://cloud.google.com/vertex-ai/generative-ai/docs/error-code-429 for more details.',
  499: 'The operation was cancelled.',
  500: 'Internal error encountered.',
  503: 'The service is currently unavailable.',
  504: 'Deadline exceeded.',
}

/** The errors of Vertex AI and Cloud Storage. */
export const googleSpelling: Spelling = {
  unauthorized(why) {
    if (why === 'api-key') {
      return googleError(401, {
        message:
          'API keys are not supported by this API. Expected OAuth2 access token or other authentication credentials that assert a principal. See https://cloud.google.com/docs/authentication',
        details: [errorInfo('CREDENTIALS_MISSING')],
      })
    }
    const isMissing = why === 'missing'
    return googleError(401, {
      message: `Request ${isMissing ? 'is missing required' : 'had invalid'} authentication credential${isMissing ? '' : 's'}. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.`,
      details: [errorInfo(isMissing ? 'CREDENTIALS_MISSING' : 'ACCESS_TOKEN_EXPIRED')],
    })
  },
  forbidden: (reason, message) => googleError(403, { message, details: [errorInfo(reason)] }),
  error(status, action) {
    if (status === 401) return this.unauthorized('expired')
    const delay = action.retryInfoSeconds
    const details = [
      ...(action.reason === undefined ? [] : [errorInfo(action.reason)]),
      ...(delay === undefined
        ? []
        : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${delay}s` }]),
    ]
    return googleError(status, {
      message: action.message ?? MESSAGES[status] ?? 'Unknown Error.',
      status: typeof action.code === 'string' ? action.code : undefined,
      details,
    })
  },
  quota: (kind, model) =>
    googleError(429, {
      message:
        kind === 'rate'
          ? `Quota exceeded for aiplatform.googleapis.com/long_running_online_prediction_requests_per_base_model with base model: ${model}. Please submit a quota increase request. https://cloud.google.com/vertex-ai/docs/generative-ai/quotas-genai.`
          : 'Resource exhausted. Please try again later.',
    }),
}

/** Returns a UUID derived from the seed. */
export function uuidOf(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex')
  const variant = '89ab'[parseInt(hex[16] ?? '0', 16) % 4] ?? '8'
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
