import { plural } from '~/lib/figures'

/** Returns the message after an import. */
export const importedMessage = (count: number): string => `${plural(count, 'prompt')} imported`

/** Returns the message after several prompts were deleted. */
export const deletedMessage = (count: number): string => `${plural(count, 'prompt')} deleted`
