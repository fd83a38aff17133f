import {
  isRunner,
  type ElementKind,
  type Mood,
  type Motion,
  type Place,
  type Scene,
  type TimeOfDay,
} from './facts'
import { hashText, pick, randomFrom, type Random } from './random'
import { hasFact, isThing, readWords, type Reading } from './reading'
import { openVocabulary, STATED, type Fact, type Vocabulary } from './vocabulary'
import { TEXT_WORDS } from './colour-words'
import { wordsOf, type Word } from './words'

export type Wish = { prompt: string; negativePrompt: string | null; seed: number }

/** More elements would crowd the picture. */
const MOST_ELEMENTS = 5

/**
 * Returns the scene of a prompt. Equal wishes give equal scenes. What the words leave open is chosen
 * at random, seeded by the prompt and the seed. What cannot be drawn is left out, and named.
 */
export function composeScene(wish: Wish): Scene {
  const vocabulary = openVocabulary()
  const { asked, refused } = splitByDenial(wordsOf(wish.prompt))
  const denied = [...refused, ...wordsOf(wish.negativePrompt ?? '')]
  const banned = keysOf(statedFacts(denied, vocabulary))
  const readings = readWords(asked, vocabulary).map((reading) => ({
    ...reading,
    facts: reading.facts.filter((fact) => !banned.has(keyOf(fact))),
  }))
  const facts = readings.flatMap((reading) => reading.facts)
  const seed = (hashText(wish.prompt) ^ Math.imul(wish.seed | 0, 0x9e3779b1)) >>> 0
  const mood = strongest(facts.filter((fact) => fact.axis === 'mood')) ?? 'calm'
  const free = freeChoices(randomFrom(seed), mood)
  const tone = strongest(facts.filter((fact) => fact.axis === 'tone')) ?? 'natural'
  const place = strongest(facts.filter((fact) => fact.axis === 'place')) ?? free.place
  const glowing = place === 'space' || tone === 'neon'
  const kinds = elementsOf(facts, place)
  const elements = kinds.slice(0, MOST_ELEMENTS)
  return {
    seed,
    place,
    time:
      strongest(facts.filter((fact) => fact.axis === 'time')) ?? (glowing ? 'night' : free.time),
    weather: strongest(facts.filter((fact) => fact.axis === 'weather')) ?? 'clear',
    mood,
    motion: strongest(facts.filter((fact) => fact.axis === 'motion')) ?? free.motion,
    pace: strongest(facts.filter((fact) => fact.axis === 'pace')) ?? 'steady',
    tone,
    accent: facts.find((fact) => fact.axis === 'accent')?.value ?? null,
    colours: coloursOf(readings),
    elements,
    running: runningOf(readings)
      .filter(isRunner)
      .filter((kind) => elements.includes(kind)),
    missing: missingOf(readings, kinds.slice(MOST_ELEMENTS)),
    isInvented: !facts.some((fact) => fact.axis === 'element' || fact.axis === 'place'),
    caption: !denied.some(({ key }) => TEXT_WORDS.has(key)),
  }
}

const DENIALS: ReadonlySet<string> = new Set(['no', 'without'])

/** Splits words at denials such as `no people` and `without any rain`: the next word is refused. */
function splitByDenial(words: readonly Word[]): { asked: Word[]; refused: Word[] } {
  const asked: Word[] = []
  const refused: Word[] = []
  let denies = false
  for (const word of words) {
    if (denies) refused.push(word)
    else asked.push(word)
    denies = DENIALS.has(word.key) || (denies && /^(?:any|a|the)$/.test(word.key))
  }
  return { asked, refused }
}

/** Returns only stated facts: refusing boats must not refuse the sea that they hint at. */
function statedFacts(words: readonly Word[], vocabulary: Vocabulary): readonly Fact[] {
  return readWords(words, vocabulary)
    .flatMap((reading) => reading.facts)
    .filter((fact) => fact.weight === STATED)
}

function keyOf(fact: Fact): string {
  return `${fact.axis}:${fact.value}`
}

/** Elements that are refused together: boats with paper boats, people with umbrellas. */
const KIN: Partial<Record<string, string>> = {
  'element:boat': 'element:paperBoat',
  'element:person': 'element:umbrella',
}

function keysOf(facts: readonly Fact[]): ReadonlySet<string> {
  return new Set(facts.map(keyOf).flatMap((key) => [key, KIN[key] ?? key]))
}

/** Returns the value with the greatest weight. In a tie the first one wins. */
function strongest<T extends string>(
  candidates: readonly { value: T; weight: number }[],
): T | null {
  const weights = new Map<T, number>()
  for (const { value, weight } of candidates) weights.set(value, (weights.get(value) ?? 0) + weight)
  let best: T | null = null
  let most = 0
  for (const [value, weight] of weights) {
    if (weight <= most) continue
    best = value
    most = weight
  }
  return best
}

/** Returns the elements without duplicates: an umbrella includes a person, space a planet. */
function elementsOf(facts: readonly Fact[], place: Place): readonly ElementKind[] {
  const kinds = facts.filter((fact) => fact.axis === 'element').map((fact) => fact.value)
  return [...new Set(kinds)]
    .filter((kind) => kind !== 'person' || !kinds.includes('umbrella'))
    .filter((kind) => kind !== 'planet' || place !== 'space')
}

function coloursOf(readings: readonly Reading[]): Scene['colours'] {
  const colours: Scene['colours'] = {}
  for (const [index, { at, facts }] of readings.entries()) {
    const before = readings[index - 1]
    const colour = before?.end === at && before.facts.find((fact) => fact.axis === 'accent')
    if (!colour) continue
    for (const fact of facts) if (fact.axis === 'element') colours[fact.value] ??= colour.value
  }
  return colours
}

/** Returns, for each word for running, the thing that stands nearest to it; in a tie the one before. */
function runningOf(readings: readonly Reading[]): readonly ElementKind[] {
  const things = readings.filter(isThing)
  return readings
    .filter((reading) => hasFact(reading, 'gait'))
    .flatMap((run) => {
      const distance = (thing: Reading): number => Math.abs(thing.at - run.at)
      const least = Math.min(...things.map(distance))
      const runner = things.find((thing) => distance(thing) === least)
      return (runner?.facts ?? []).flatMap((fact) => (fact.axis === 'element' ? [fact.value] : []))
    })
}

/** Returns the names of what cannot be drawn, and of the elements for which there is no room. */
function missingOf(
  readings: readonly Reading[],
  crowded: readonly ElementKind[],
): readonly string[] {
  const isMissing = (fact: Fact): boolean =>
    fact.axis === 'missing' || (fact.axis === 'element' && crowded.includes(fact.value))
  const names = readings.filter(({ facts }) => facts.some(isMissing)).map(({ name }) => name)
  return [...new Set(names)]
}

/** Returns choices for a prompt without known words. Low light is likelier: it suits simple pictures. */
function freeChoices(
  random: Random,
  mood: Mood,
): { place: Place; time: TimeOfDay; motion: Motion } {
  const hours: readonly [TimeOfDay, ...TimeOfDay[]] =
    mood === 'joyful' ? ['day', 'dawn', 'day'] : ['dawn', 'dusk', 'dusk', 'night', 'dawn', 'day']
  return {
    place: pick(random, ['hills', 'hills', 'lake', 'mountains', 'hills', 'field']),
    time: pick(random, hours),
    motion: pick(random, ['pan', 'push', 'pan', 'drift', 'pull']),
  }
}
