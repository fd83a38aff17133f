/**
 * Whether a listed prompt is the one we sent. `unclear`: it may be, but the server names none, or
 * only its beginning, and another order of ours could look the same there.
 */
export type Likeness = 'same' | 'unclear' | 'other'

/**
 * Compares a prompt with what a server says it holds. Multipart forms turn line feeds into CR LF, and
 * servers trim, tidy up white space and normalise letters as they like: none of that makes another
 * prompt.
 */
export function likenessOf(ours: string, theirs: string | null | undefined): Likeness {
  if (theirs === null || theirs === undefined) return 'unclear'
  const sent = tidy(ours)
  const held = tidy(theirs)
  if (sent === held) return 'same'
  const start = held.replace(/ ?(…|\.\.\.)$/, '')
  return sent.startsWith(start) ? 'unclear' : 'other'
}

const tidy = (prompt: string): string => prompt.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
