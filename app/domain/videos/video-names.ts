import { excerpt, isLongerThan, nameOnOneLine } from '~/lib/text'

/** Maximum number of characters of a video's name. */
export const VIDEO_NAME_CHARACTERS = 60

/** Lists of clips name files, which get an ending of their own. */
const FILE_ENDING = /\.(?:mp4|m4v|mov|webm|mkv|avi)$/i

/** Returns a name on one line, without the ending of a file of videos. */
export const cleanName = (text: string): string =>
  nameOnOneLine(text).trim().replace(FILE_ENDING, '').trim()

/** Returns whether a clean name has more characters than a name may have. */
export const isLongName = (name: string): boolean => isLongerThan(name, VIDEO_NAME_CHARACTERS)

/** Returns as much of a clean name as a name may have, with an ellipsis if it was cut. */
export const shortName = (name: string): string =>
  isLongName(name) ? excerpt(name, VIDEO_NAME_CHARACTERS - 1) : name

/** Returns what a video is called: its name, or else its prompt. */
export const titleOf = ({ name, prompt }: { name?: string | null; prompt: string }): string =>
  name ?? prompt
