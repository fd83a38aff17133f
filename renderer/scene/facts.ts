/** The parts of a scene. Prompts are translated into these words, and only these are drawn. */

export const PLACES = [
  'hills',
  'mountains',
  'lake',
  'sea',
  'forest',
  'field',
  'desert',
  'city',
  'street',
  'room',
  'space',
  'underwater',
] as const
export type Place = (typeof PLACES)[number]

export const TIMES = ['dawn', 'day', 'dusk', 'night'] as const
export type TimeOfDay = (typeof TIMES)[number]

export const WEATHERS = ['clear', 'cloudy', 'rain', 'snow', 'fog', 'storm'] as const
export type Weather = (typeof WEATHERS)[number]

export const MOODS = ['calm', 'joyful', 'tense', 'sad', 'dreamy'] as const
export type Mood = (typeof MOODS)[number]

export const MOTIONS = ['pan', 'push', 'pull', 'drift', 'rise'] as const
export type Motion = (typeof MOTIONS)[number]

export const PACES = ['slow', 'steady', 'fast'] as const
export type Pace = (typeof PACES)[number]

export const ELEMENTS = [
  'boat',
  'paperBoat',
  'ship',
  'whale',
  'fish',
  'car',
  'train',
  'bicycle',
  'tree',
  'pine',
  'palm',
  'cactus',
  'flower',
  'mushroom',
  'person',
  'umbrella',
  'astronaut',
  'robot',
  'cat',
  'dog',
  'fox',
  'horse',
  'deer',
  'house',
  'castle',
  'lighthouse',
  'windmill',
  'tent',
  'fire',
  'bird',
  'butterfly',
  'balloon',
  'kite',
  'lantern',
  'plane',
  'rocket',
  'planet',
  'aurora',
  'rainbow',
  'fireworks',
] as const
export type ElementKind = (typeof ELEMENTS)[number]

/** The elements that can run. */
const RUNNERS = ['cat', 'dog', 'fox', 'horse', 'deer'] as const satisfies ElementKind[]
export type Runner = (typeof RUNNERS)[number]

/** Returns whether an element can run. */
export function isRunner(kind: ElementKind): kind is Runner {
  return RUNNERS.some((runner) => runner === kind)
}

/**
 * `neon` and `pastel` change the whole palette; `mono` removes its colours; `autumn` is golden, and its
 * leaves fall.
 */
export const TONES = ['natural', 'neon', 'pastel', 'mono', 'golden', 'autumn'] as const
export type Tone = (typeof TONES)[number]

export type Scene = {
  seed: number
  place: Place
  time: TimeOfDay
  weather: Weather
  mood: Mood
  motion: Motion
  pace: Pace
  tone: Tone
  /** The colour in the prompt (`red`, `blue` …), used for the main subject. */
  accent: string | null
  /** The colours of elements that stand directly before their names: `a white horse`. */
  colours: Partial<Record<ElementKind, string>>
  /** In the order of the prompt. The first one is the main subject. */
  elements: readonly ElementKind[]
  /** Those of the elements that run. */
  running: readonly Runner[]
  /** The things that the prompt names and the picture does not show, in the prompt's words. */
  missing: readonly string[]
  /** True if the picture contains nothing and no place that the prompt names. */
  isInvented: boolean
  /** False if the negative prompt excludes text. */
  caption: boolean
}
