/** Number of characters of an example that its badge shows (specification §2). */
export const EXAMPLE_CHARACTERS = 50
