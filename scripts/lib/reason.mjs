/**
 * Returns the reason of an error in one line or more. An address with several hosts gives an error
 * without a message, only with a code.
 *
 * @param {unknown} error
 */
export const reasonOf = (error) =>
  error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error)
