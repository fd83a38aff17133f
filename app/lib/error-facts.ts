/** Returns the code of an error, as Node, PostgreSQL and AWS give it, or an empty text. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Returns the message of an error, or what else was thrown as text. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Returns whether a write failed because the disk is full. */
export const isDiskFull = (error: unknown): boolean => DISK_FULL.has(codeOf(error))
