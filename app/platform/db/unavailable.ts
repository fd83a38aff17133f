import { codeOf } from '~/lib/error-facts'

/**
 * Error codes of PostgreSQL and the network for an unavailable database, not for a faulty
 * statement.
 */
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  // Connected to a standby, or out of disk space, memory or connections; or an I/O error.
  '25006',
  '53100',
  '53200',
  '53300',
  '58030',
  // The statement timed out: the database is reachable but too busy.
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
])
const UNAVAILABLE_TEXT =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|not queryable|Can't reach database server/i

/** Returns whether an error means that the database is unavailable. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  if (!(error instanceof Error)) return false
  return (
    UNAVAILABLE_CODES.has(codeOf(error)) ||
    UNAVAILABLE_TEXT.test(error.message) ||
    isDatabaseUnavailable(error.cause)
  )
}
