/** All error codes and their HTTP status. */
export const HTTP_STATUS = {
  BAD_INPUT: 400,
  NOT_SIGNED_IN: 401,
  BAD_CREDENTIALS: 401,
  CODE_NEEDED: 401,
  FORBIDDEN: 403,
  PASSWORD_NEEDED: 403,
  ACCOUNT_DISABLED: 403,
  ACCOUNT_EXPIRED: 403,
  NO_ACTIVE_PLAN: 403,
  CROSS_SITE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  BATCH_RUNNING: 409,
  ORDERS_PAUSED: 409,
  LENGTH_REQUIRED: 411,
  TOO_LARGE: 413,
  ADDRESS_TOO_LONG: 414,
  UNSUPPORTED: 415,
  QUOTA_EXCEEDED: 429,
  RATE_LIMITED: 429,
  UNEXPECTED: 500,
  UNAVAILABLE: 503,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof HTTP_STATUS

/** Messages by field name, as shown by forms and returned by API calls. */
export type FieldErrors = Record<string, string[]>

type Extras = {
  fields?: FieldErrors
  retryAfterSeconds?: number
  /** For the log only. Must not contain values that users typed. */
  details?: Record<string, unknown>
}

const BRAND = Symbol.for('reelmill.app-error')

/** An error that is shown to the user. `message` is the final text. */
export class AppError extends Error {
  readonly [BRAND] = true
  readonly code: ErrorCode
  readonly fields: FieldErrors | undefined
  readonly retryAfterSeconds: number | undefined
  readonly details: Record<string, unknown> | undefined

  constructor(code: ErrorCode, message: string, extras: Extras = {}) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.fields = extras.fields
    this.retryAfterSeconds = extras.retryAfterSeconds
    this.details = extras.details
  }

  get status(): number {
    return HTTP_STATUS[this.code]
  }
}

/**
 * Checks the brand instead of `instanceof`, because the web bundle and reloaded modules have their
 * own copies of the class.
 */
export function isAppError(error: unknown): error is AppError {
  return typeof error === 'object' && error !== null && BRAND in error
}
