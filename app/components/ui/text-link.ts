/**
 * The classes of a link or button that looks like underlined text, high enough for a finger. A
 * constant and not a component, because it is part of the scripts of every page.
 */
export const textLinkClass = 'inline-flex min-h-11 items-center underline underline-offset-4'
