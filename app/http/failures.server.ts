import { AppError, isAppError } from '~/domain/errors'

/** What PostgreSQL and the network say when the database is away rather than unhappy with us. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  '08000',
  '08003',
  '08006',
  '53300',
  // A statement that took too long: the database is there, and too busy for us.
  '57014',
  '57P01',
  '57P02',
  '57P03',
])
const AWAY_TEXT =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Can't reach database server/i

export const UNAVAILABLE_TEXT =
  'The service is briefly unavailable. Nothing was lost; try again in a few seconds.'

/** Seconds after which a client may come back to a service that was away. */
export const RETRY_SECONDS = 3

/** Whether an error means that the database could not be reached. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return AWAY.has(code) || AWAY_TEXT.test(error.message) || isDatabaseAway(error.cause)
}

/** What everybody is told while the database is away. */
export const unavailable = (): AppError =>
  new AppError('UNAVAILABLE', UNAVAILABLE_TEXT, { retryAfterSeconds: RETRY_SECONDS })

/** The refusal to show for any error: its own, 503 for a database that is away, else a plain 500. */
export function toAppError(error: unknown, requestId: string): AppError {
  if (isAppError(error)) return error
  // A path like /%ff: what follows the per cent sign is no character.
  if (error instanceof URIError) return new AppError('BAD_INPUT', 'This address cannot be read')
  if (isDatabaseAway(error)) return unavailable()
  return new AppError(
    'UNEXPECTED',
    `Something went wrong on our side. Quote ${requestId} if it stays.`,
  )
}
