/** Limits the work for a prompt of any length. No prompt needs more words to be understood. */
const MOST_WORDS = 600

/** A word of a text: as it was written, and in lower case without accents (`forêt` as `foret`). */
export type Word = {
  text: string
  key: string
  /** True if only spaces, a hyphen or an apostrophe are between it and the word before. */
  joined: boolean
}

/** Returns the words of a text. */
export function wordsOf(text: string): readonly Word[] {
  const found: Word[] = []
  let end = 0
  for (const match of text.normalize('NFC').matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const between = match.input.slice(end, match.index)
    end = match.index + match[0].length
    found.push({ text: match[0], key: keyOf(match[0]), joined: /^[-'’\s]*$/.test(between) })
    if (found.length === MOST_WORDS) break
  }
  return found
}

function keyOf(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
}

/**
 * Returns the word and what it may be the plural of, as of `ponies`, `foxes` and `boats`. Other
 * endings change the meaning: `falling` is no autumn, `staring` no star.
 */
export function wordForms(word: string): readonly string[] {
  const forms = [word]
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`)
  if (word.endsWith('ves')) forms.push(`${word.slice(0, -3)}f`)
  if (/(?:s|x|z|ch|sh|o)es$/.test(word)) forms.push(word.slice(0, -2))
  if (/[^s]s$/.test(word)) forms.push(word.slice(0, -1))
  return forms
}
