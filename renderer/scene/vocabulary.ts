import {
  ELEMENTS,
  MOODS,
  MOTIONS,
  PACES,
  PLACES,
  TIMES,
  WEATHERS,
  type ElementKind,
  type Mood,
  type Motion,
  type Pace,
  type Place,
  type TimeOfDay,
  type Tone,
  type Weather,
} from './facts'
import {
  ELEMENT_WORDS,
  HOMES,
  HOURS,
  MOOD_WORDS,
  MOTION_WORDS,
  PACE_WORDS,
  PLACE_WORDS,
  TIME_WORDS,
  TONE_WORDS,
  WEATHER_WORDS,
} from './word-tables'
import { WORLD_WORDS } from './world-words'
import { wordForms } from './words'

/** The weight of a stated fact. Facts with less weight are hints. */
export const STATED = 100
const HINTED = 1

export type Fact = { weight: number } & (
  | { axis: 'place'; value: Place }
  | { axis: 'time'; value: TimeOfDay }
  | { axis: 'weather'; value: Weather }
  | { axis: 'mood'; value: Mood }
  | { axis: 'motion'; value: Motion }
  | { axis: 'pace'; value: Pace }
  | { axis: 'tone'; value: Tone }
  | { axis: 'element'; value: ElementKind }
)

/** Returns the facts of a word. A pair of words is looked up as `two-words`. */
export type Vocabulary = (word: string) => readonly Fact[]

const TONES = ['natural', 'neon', 'pastel', 'mono', 'golden'] as const satisfies readonly Tone[]

/** Creates the vocabulary, which takes about a millisecond. Create one per prompt. */
export function openVocabulary(): Vocabulary {
  const book = new Map<string, readonly Fact[]>()
  const learn = (words: string, facts: readonly Fact[]): void => {
    for (const word of words.split(' ')) book.set(word, [...(book.get(word) ?? []), ...facts])
  }
  const weight = STATED
  for (const value of PLACES) learn(PLACE_WORDS[value], [{ axis: 'place', value, weight }])
  for (const value of TIMES) learn(TIME_WORDS[value], [{ axis: 'time', value, weight }])
  for (const value of WEATHERS) learn(WEATHER_WORDS[value], [{ axis: 'weather', value, weight }])
  for (const value of MOODS) learn(MOOD_WORDS[value], [{ axis: 'mood', value, weight }])
  for (const value of MOTIONS) learn(MOTION_WORDS[value], [{ axis: 'motion', value, weight }])
  for (const value of PACES) learn(PACE_WORDS[value], [{ axis: 'pace', value, weight }])
  for (const value of TONES) learn(TONE_WORDS[value], [{ axis: 'tone', value, weight }])
  for (const value of ELEMENTS) learn(ELEMENT_WORDS[value], factsOfElement(value))
  for (const [english, others] of Object.entries(WORLD_WORDS)) {
    learn(others, book.get(english) ?? [])
  }
  return (word) => {
    const form = wordForms(word).find((candidate) => book.has(candidate))
    return form === undefined ? [] : (book.get(form) ?? [])
  }
}

function factsOfElement(value: ElementKind): readonly Fact[] {
  const home = HOMES[value]
  const hour = HOURS[value]
  return [
    { axis: 'element', value, weight: STATED },
    ...(home ? [{ axis: 'place', value: home, weight: HINTED } as const] : []),
    ...(hour ? [{ axis: 'time', value: hour, weight: HINTED } as const] : []),
  ]
}
