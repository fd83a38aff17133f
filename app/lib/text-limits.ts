import { figure } from './figures'

// What a pasted text may have, counted before anything splits, sorts or compares it: a web process does one
// thing at a time, and each of these takes time per line or per character.

/** Lines of a text: four times the longest list that any form takes. */
export const MOST_LINES = 20_000
/** Characters of one line of a table: twice the longest cell, which is a provider's key file. */
export const MOST_LINE_CHARACTERS = 20_000

/** Returns whether a text has more lines than that. Counts line ends of any kind, as far as the limit. */
export function hasMoreLines(text: string, most = MOST_LINES): boolean {
  let lines = 1
  for (const end of ['\n', '\r'])
    for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, at + 1))
      // The two of a pair are one.
      if ((end === '\n' || text[at + 1] !== '\n') && ++lines > most) return true
  return false
}

/** What is said of such a text, in place of everything else that may be wrong with it. */
export const TOO_MANY_LINES = `This text has more than ${figure(MOST_LINES)} lines. Send it in several parts.`
