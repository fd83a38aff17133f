/**
 * Returns the reason of an error in one line or more. An address with several hosts gives an error
 * without a message, only with a code.
 *
 * @param {unknown} error
 */
export const reasonOf = (error) =>
  error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error)

/** Code of PostgreSQL for a missing privilege. */
const FORBIDDEN = '42501'

/** Returns whether the database user lacks a privilege. @param {unknown} error */
export const isForbidden = (error) =>
  error instanceof Error && 'code' in error && error.code === FORBIDDEN

/**
 * Describes an error of a statement for operators.
 *
 * @param {unknown} error
 */
export const refusalOf = (error) =>
  `The database refused: ${reasonOf(error)}.${isForbidden(error) ? ' This command needs the owner of the tables in DATABASE_URL.' : ''}`
