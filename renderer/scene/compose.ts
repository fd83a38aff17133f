import type { ElementKind, Mood, Motion, Place, Scene, TimeOfDay } from './facts'
import { hashText, pick, randomFrom, type Random } from './random'
import { openVocabulary, STATED, type Fact, type Vocabulary } from './vocabulary'
import { COLOUR_WORDS, TEXT_WORDS } from './colour-words'
import { wordsOf } from './words'

export type Wish = { prompt: string; negativePrompt: string | null; seed: number }

/** More elements would crowd the picture. */
const MOST_ELEMENTS = 5

/**
 * Returns the scene of a prompt. Equal wishes give equal scenes. What the words leave open is chosen
 * at random, seeded by the prompt and the seed.
 */
export function composeScene(wish: Wish): Scene {
  const vocabulary = openVocabulary()
  const { asked, refused } = splitByDenial(wordsOf(wish.prompt))
  const denied = [...refused, ...wordsOf(wish.negativePrompt ?? '')]
  const banned = keysOf(statedFacts(denied, vocabulary))
  const facts = factsOf(asked, vocabulary).filter((fact) => !banned.has(keyOf(fact)))
  const seed = (hashText(wish.prompt) ^ Math.imul(wish.seed | 0, 0x9e3779b1)) >>> 0
  const mood = strongest(facts.filter((fact) => fact.axis === 'mood')) ?? 'calm'
  const free = freeChoices(randomFrom(seed), mood)
  const tone = strongest(facts.filter((fact) => fact.axis === 'tone')) ?? 'natural'
  const place = strongest(facts.filter((fact) => fact.axis === 'place')) ?? free.place
  const glowing = place === 'space' || tone === 'neon'
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
    accent: accentOf(asked),
    elements: elementsOf(facts, place),
    isInvented: !facts.some((fact) => fact.axis === 'element' || fact.axis === 'place'),
    caption: !denied.some((word) => TEXT_WORDS.has(word)),
  }
}

/** Splits words at denials such as `no people` and `without rain`: the next word is refused. */
function splitByDenial(words: readonly string[]): { asked: string[]; refused: string[] } {
  const asked: string[] = []
  const refused: string[] = []
  words.forEach((word, index) => {
    const before = words[index - 1]
    if (before === 'no' || before === 'without') refused.push(word)
    else asked.push(word)
  })
  return { asked, refused }
}

function factsOf(words: readonly string[], vocabulary: Vocabulary): readonly Fact[] {
  return words.flatMap((word, index) => {
    const before = words[index - 1]
    const next = words[index + 1]
    const pair = next === undefined ? [] : vocabulary(`${word}-${next}`)
    if (pair.length > 0) return pair
    const wasPaired = before !== undefined && vocabulary(`${before}-${word}`).length > 0
    return wasPaired ? [] : vocabulary(word)
  })
}

/** Returns only stated facts: refusing boats must not refuse the sea that they hint at. */
function statedFacts(words: readonly string[], vocabulary: Vocabulary): readonly Fact[] {
  return factsOf(words, vocabulary).filter((fact) => fact.weight === STATED)
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
    .slice(0, MOST_ELEMENTS)
}

function accentOf(words: readonly string[]): string | null {
  for (const word of words) {
    const colour = COLOUR_WORDS.get(word)
    if (colour !== undefined) return colour
  }
  return null
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
