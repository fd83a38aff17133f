import { plural } from '~/lib/text'

/** What an import says when it is done. */
export const importedMessage = (count: number): string => `${plural(count, 'prompt')} imported`

/** What a deletion of several says when it is done. */
export const deletedMessage = (count: number): string => `${plural(count, 'prompt')} deleted`
