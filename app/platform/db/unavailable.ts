/** What PostgreSQL and the network say when the database is away rather than unhappy with us. */
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
  // Led to a standby, or short of room, memory or connections.
  '25006',
  '53100',
  '53200',
  '53300',
  '58030',
  // A statement that took too long: the database is there, and too busy for us.
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
])
const UNAVAILABLE_TEXT =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|not queryable|Can't reach database server/i

/** Whether an error means that the database could not be reached. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    UNAVAILABLE_CODES.has(code) ||
    UNAVAILABLE_TEXT.test(error.message) ||
    isDatabaseUnavailable(error.cause)
  )
}
