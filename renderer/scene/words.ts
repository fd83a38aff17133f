/** Limits the work for a prompt of any length. No prompt needs more words to be understood. */
const MOST_WORDS = 600

/** Returns the words of a text in lower case, without accents (`forêt` becomes `foret`). */
export function wordsOf(text: string): readonly string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  const found: string[] = []
  for (const match of folded.matchAll(/[\p{L}\p{N}]+/gu)) {
    found.push(match[0])
    if (found.length === MOST_WORDS) break
  }
  return found
}

/** Returns the word and its possible base forms, as of `ponies`, `boats` and `glowing`. */
export function wordForms(word: string): readonly string[] {
  const forms = [word]
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`)
  if (word.endsWith('es')) forms.push(word.slice(0, -2))
  if (word.endsWith('s')) forms.push(word.slice(0, -1))
  if (word.endsWith('ing')) forms.push(word.slice(0, -3), `${word.slice(0, -3)}e`)
  if (word.endsWith('y') && word.length > 4) forms.push(word.slice(0, -1))
  return forms
}
