import { COLOUR_WORDS } from './colour-words'
import {
  ELEMENTS,
  MOODS,
  MOTIONS,
  PACES,
  PLACES,
  TIMES,
  TONES,
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
  EMPTY_PHRASES,
  HOMES,
  HOURS,
  MOOD_WORDS,
  MOTION_WORDS,
  PACE_WORDS,
  PLACE_HINTS,
  PLACE_WORDS,
  RUN_WORDS,
  TIME_WORDS,
  TONE_WORDS,
  WEATHER_WORDS,
} from './word-tables'
import { UNDRAWN_WORDS, UNDRAWN_WORLD_WORDS } from './undrawn-words'
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
  | { axis: 'accent'; value: string }
  | { axis: 'element'; value: ElementKind }
  | { axis: 'gait'; value: 'run' }
  /** A thing that cannot be drawn. */
  | { axis: 'missing'; value: string }
)

/**
 * Returns the facts of a word, or null if it is unknown. A phrase is looked up as `two-words`; one that
 * says nothing, such as `depth-of-field`, has no facts.
 */
export type Vocabulary = (word: string) => readonly Fact[] | null

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
  for (const [word, value] of COLOUR_WORDS) learn(word, [{ axis: 'accent', value, weight }])
  for (const value of PLACES) learn(PLACE_HINTS[value] ?? '', hintOf(value))
  learn(RUN_WORDS, [{ axis: 'gait', value: 'run', weight }])
  learn(EMPTY_PHRASES, [])
  for (const home of [...PLACES, 'anywhere'] as const) {
    for (const value of UNDRAWN_WORDS[home].split(' '))
      learn(value, [
        { axis: 'missing', value, weight },
        ...(home === 'anywhere' ? [] : hintOf(home)),
      ])
  }
  for (const value of UNDRAWN_WORLD_WORDS.split(' '))
    learn(value, [{ axis: 'missing', value, weight }])
  for (const value of ELEMENTS) learn(ELEMENT_WORDS[value], factsOfElement(value))
  for (const [english, others] of Object.entries(WORLD_WORDS)) {
    learn(others, book.get(english) ?? [])
  }
  return (word) => {
    const form = wordForms(word).find((candidate) => book.has(candidate))
    return form === undefined ? null : (book.get(form) ?? null)
  }
}

function hintOf(value: Place): readonly Fact[] {
  return [{ axis: 'place', value, weight: HINTED }]
}

function factsOfElement(value: ElementKind): readonly Fact[] {
  const home = HOMES[value]
  const hour = HOURS[value]
  return [
    { axis: 'element', value, weight: STATED },
    ...(home ? hintOf(home) : []),
    ...(hour ? [{ axis: 'time', value: hour, weight: HINTED } as const] : []),
  ]
}
