import { AppError, isAppError } from '~/domain/errors'
import { isDatabaseUnavailable } from '~/platform/db/unavailable'
import { PasswordsBusy } from '~/platform/passwords/port'
import { StorageUnavailable } from '~/platform/storage/port'
import { countRefusal } from './refusals.server'

export const UNAVAILABLE_TEXT =
  'The service is briefly unavailable. Nothing was lost; try again in a few seconds.'

/** Seconds after which a client may retry when the service was unavailable. */
export const RETRY_SECONDS = 3
/** The same for the storage, where each retry costs more. */
const STORAGE_RETRY_SECONDS = 10

const STORAGE_TEXT =
  'Our storage for videos cannot be reached at the moment. Nothing was lost; try again in a few seconds.'

/** Shown to a user when a queue of the service is full. */
export const BUSY_TEXT =
  'The service is very busy right now. Nothing was changed; try again in a few seconds.'

/** Returns the error for all requests while the database is unavailable. */
export const unavailable = (): AppError =>
  new AppError('UNAVAILABLE', UNAVAILABLE_TEXT, { retryAfterSeconds: RETRY_SECONDS })

/**
 * Returns the AppError to show for any error: the error itself if it is one, a 503 if the database
 * or storage is unavailable, otherwise a 500.
 */
export function toAppError(error: unknown, requestId: string): AppError {
  const refusal = refusalOf(error, requestId)
  countRefusal(error, refusal.code)
  return refusal
}

function refusalOf(error: unknown, requestId: string): AppError {
  if (isAppError(error)) return error
  // A path like /%ff: the bytes after decoding are not valid UTF-8.
  if (error instanceof URIError) return new AppError('BAD_INPUT', 'This address cannot be read')
  if (isDatabaseUnavailable(error)) return unavailable()
  if (error instanceof PasswordsBusy) {
    return new AppError('UNAVAILABLE', BUSY_TEXT, { retryAfterSeconds: RETRY_SECONDS })
  }
  if (error instanceof StorageUnavailable) {
    return new AppError('UNAVAILABLE', STORAGE_TEXT, { retryAfterSeconds: STORAGE_RETRY_SECONDS })
  }
  return new AppError(
    'UNEXPECTED',
    `Something went wrong on our side. If it happens again, contact us and quote ${requestId}.`,
  )
}
