/** Number of characters of an example that its badge shows (specification §2). */
export const EXAMPLE_CHARACTERS = 50

export const CHIP =
  'block w-full truncate rounded-full border border-line px-3 text-left text-xs leading-[2.625rem] text-soft hover:border-edge hover:text-ink md:leading-[1.875rem]'
