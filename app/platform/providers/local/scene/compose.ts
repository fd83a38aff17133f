import type { ElementKind, Mood, Motion, Place, Scene, TimeOfDay } from './facts'
import { hashText, pick, randomFrom, type Random } from './random'
import { openVocabulary, STATED, type Fact, type Vocabulary } from './vocabulary'
import { COLOUR_WORDS, TEXT_WORDS } from './colour-words'
import { wordsOf } from './words'

export type Wish = { prompt: string; negativePrompt: string | null; seed: number }

/** More would be a crowd, not a composition. */
const MOST_ELEMENTS = 5

/**
 * Reads a prompt into a scene. The same wish always gives the same scene; what the words leave
 * open is drawn from the prompt and the seed together.
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
    caption: !denied.some((word) => TEXT_WORDS.has(word)),
  }
}

/** `no people`, `without rain`: the word after a denial is refused, the rest is asked for. */
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

/** Refusing boats must not refuse the sea they hint at. */
function statedFacts(words: readonly string[], vocabulary: Vocabulary): readonly Fact[] {
  return factsOf(words, vocabulary).filter((fact) => fact.weight === STATED)
}

function keyOf(fact: Fact): string {
  return `${fact.axis}:${fact.value}`
}

/** Without boats there are no paper boats either, and nobody holds an umbrella where nobody is. */
const KIN: Partial<Record<string, string>> = {
  'element:boat': 'element:paperBoat',
  'element:person': 'element:umbrella',
}

function keysOf(facts: readonly Fact[]): ReadonlySet<string> {
  return new Set(facts.map(keyOf).flatMap((key) => [key, KIN[key] ?? key]))
}

/** The value with the most weight behind it; the first named wins a tie. */
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

/** Whoever has an umbrella is already a person, and space has a planet of its own. */
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

/** What an unknown prompt gets. Low light is likelier: it is kinder to a simple picture. */
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
