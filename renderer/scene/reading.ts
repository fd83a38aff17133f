import type { Fact, Vocabulary } from './vocabulary'
import { ARTICLES, SUBJECTS, VERBS } from './word-tables'
import type { Word } from './words'

/** A word or phrase of a prompt that the vocabulary knows. */
export type Reading = {
  /** The indices of its first word and of the one after its last. */
  at: number
  end: number
  facts: readonly Fact[]
  /** What the prompt calls it: `red fox`. */
  name: string
}

/** The number of words of the vocabulary's longest phrases. */
const LONGEST_PHRASE = 3
/** The most words between an article and the name that it belongs to. */
const MOST_ADJECTIVES = 3

/**
 * Returns what a text says, in its order. The words of a phrase such as `palm tree` are not read again,
 * nor the colour of a thing that cannot be drawn.
 */
export function readWords(words: readonly Word[], vocabulary: Vocabulary): readonly Reading[] {
  const readings: Reading[] = []
  let at = 0
  while (at < words.length) {
    const found = longestPhrase(words, { at, vocabulary })
    if (found !== null && !isVerb(words, { at, before: readings.at(-1) })) {
      const from = hasFact(found, 'missing') ? startOfName(words, { at, readings }) : at
      while ((readings.at(-1)?.at ?? -1) >= from) readings.pop()
      const name = words.slice(from, found.end).map(({ text }) => text)
      readings.push({ ...found, name: name.join(' ') })
    }
    at = found?.end ?? at + 1
  }
  return readings
}

/** Returns whether one of the facts of a reading is about `axis`. */
export function hasFact({ facts }: Pick<Reading, 'facts'>, axis: Fact['axis']): boolean {
  return facts.some((fact) => fact.axis === axis)
}

/** Returns whether a reading names a thing, which can be drawn or not. */
export function isThing(reading: Pick<Reading, 'facts'>): boolean {
  return hasFact(reading, 'element') || hasFact(reading, 'missing')
}

function longestPhrase(
  words: readonly Word[],
  { at, vocabulary }: { at: number; vocabulary: Vocabulary },
): Omit<Reading, 'name'> | null {
  for (let size = LONGEST_PHRASE; size > 0; size -= 1) {
    const phrase = words.slice(at, at + size)
    if (phrase.length < size || phrase.slice(1).some(({ joined }) => !joined)) continue
    const facts = vocabulary(phrase.map(({ key }) => key).join('-'))
    if (facts !== null) return { at, end: at + size, facts }
  }
  return null
}

/** Returns whether a word such as `rose` follows what can rise. */
function isVerb(
  words: readonly Word[],
  { at, before }: { at: number; before: Reading | undefined },
): boolean {
  const word = words[at]
  if (word === undefined || !word.joined || !VERBS.has(word.key)) return false
  const isAfterThing = before?.end === at && isThing(before)
  return isAfterThing || SUBJECTS.has(words[at - 1]?.key ?? '')
}

/**
 * Returns the index at which the name of a thing begins: after its article, or with the colours and
 * nouns directly before it.
 */
function startOfName(
  words: readonly Word[],
  { at, readings }: { at: number; readings: readonly Reading[] },
): number {
  const before = (end: number): Reading | undefined =>
    readings.findLast((reading) => reading.end === end)
  let start = at
  for (;;) {
    const noun = before(start)
    if (!words[start]?.joined || noun === undefined) break
    if (!hasFact(noun, 'missing') && !hasFact(noun, 'accent')) break
    start = noun.at
  }
  for (let back = start; words[back]?.joined && start - back <= MOST_ADJECTIVES; back -= 1) {
    if (ARTICLES.has(words[back - 1]?.key ?? '')) return back
    const adjective = before(back)
    if (adjective !== undefined && !hasFact(adjective, 'accent')) break
  }
  return start
}
