/** How much of an example its badge shows (specification §2). */
export const EXAMPLE_CHARACTERS = 50

export const CHIP =
  'inline-flex min-h-11 max-w-full items-center rounded-full border border-line px-3 text-left text-xs text-soft hover:border-edge hover:text-ink sm:min-h-9'
