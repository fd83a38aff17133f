import type { Logger } from 'pino'
import { isDatabaseUnavailable } from '~/platform/db/unavailable'
import { PasswordsBusy } from '~/platform/passwords/port'
import { StorageUnavailable } from '~/platform/storage/port'

/** `what` is the text of the line. */
type Failed = { what: string; requestId: string; path?: string }

/**
 * Logs why a request failed. In an outage all requests fail for the same reason: the log writes it a
 * few times without the request and then counts it. The request's own line has the id and the status.
 */
export function logFailure(log: Logger, error: unknown, { what, ...request }: Failed): void {
  log.error(isOutage(error) ? { err: error } : { err: error, ...request }, what)
}

const isOutage = (error: unknown) =>
  isDatabaseUnavailable(error) ||
  error instanceof StorageUnavailable ||
  error instanceof PasswordsBusy
