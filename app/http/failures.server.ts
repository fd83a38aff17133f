import { AppError, isAppError } from '~/domain/errors'
import { isDatabaseAway } from '~/platform/db/away'

export const UNAVAILABLE_TEXT =
  'The service is briefly unavailable. Nothing was lost; try again in a few seconds.'

/** Seconds after which a client may come back to a service that was away. */
export const RETRY_SECONDS = 3

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
