/**
 * Whether a prompt that a provider holds is the one that was sent. `unclear`: it may be, but the
 * provider returns no prompt or only its beginning, and another order could look the same.
 */
export type Likeness = 'same' | 'unclear' | 'other'

/**
 * Compares a prompt with the one that a provider returns. Differences in line endings (multipart forms
 * turn line feeds into CR LF), white space and Unicode normalisation are ignored.
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
