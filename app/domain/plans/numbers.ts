import type { wholeNumber } from '~/lib/fields'
import type { Pace, Plan } from './types'

/** The numbers of an account that are copies of its plan's. */
export type PlanNumbers = { videoLimit: number; speedLimit: number; videoGenerationSpeed: number }

type NumbersIn<Type> = keyof { [Key in keyof Type as Type[Key] extends number ? Key : never]: Key }
export type PlanNumberName = NumbersIn<Plan> | keyof Pace

type PlanNumber = {
  /** Names the number above its box on the Plans page. */
  title: string
  /** Its limits, and what its messages call it. */
  limits: Parameters<typeof wholeNumber>[0]
  /**
   * The field of an account that gets a copy when the plan is sold: it stays when the plan changes, and
   * administrators can change it. Null: what the plan says now applies to all who have it.
   */
  copiedTo: keyof PlanNumbers | null
}

const price = (title: string): PlanNumber => ({
  title,
  limits: { label: title, min: 0, max: 10_000_000, tooSmall: 'Cannot be negative', isExact: true },
  copiedTo: null,
})

const DELAY = { min: 0, max: 180 }

/**
 * The numbers of a plan, in the order of its form. The form, what is stored and the copies of accounts
 * are made from them; their values are in catalogue.ts.
 */
export const PLAN_FIGURES: Readonly<Record<PlanNumberName, PlanNumber>> = {
  rupees: price('Price in rupees'),
  dollars: price('Price in dollars'),
  videosPerDay: {
    title: 'Videos per day',
    limits: { label: 'Daily video limit', min: 1, max: 100_000, tooSmall: 'Must be at least 1' },
    copiedTo: 'videoLimit',
  },
  clipUnits: {
    title: 'One video counts as',
    limits: { label: 'One video', min: 1, max: 1000, tooSmall: 'Must be at least 1' },
    // With the providers, like these.
    copiedTo: null,
  },
  videos: {
    title: 'Videos per round',
    limits: { label: 'Speed limit', min: 1, max: 1000, tooSmall: 'Must be at least 1' },
    copiedTo: 'speedLimit',
  },
  delaySeconds: {
    title: 'Seconds between rounds',
    limits: {
      label: 'Generation speed',
      ...DELAY,
      tooSmall: `Must be at least ${DELAY.min} seconds`,
      tooLarge: `Cannot exceed ${DELAY.max} seconds`,
    },
    copiedTo: 'videoGenerationSpeed',
  },
  place: {
    title: 'Place on the page',
    limits: { label: 'Place', min: 1, max: 99, tooSmall: 'Must be at least 1' },
    copiedTo: null,
  },
}

const isFigure = (name: string): name is PlanNumberName => name in PLAN_FIGURES
export const FIGURE_NAMES: readonly PlanNumberName[] = Object.keys(PLAN_FIGURES).filter(isFigure)

/** Returns an object with one value for each number. */
export function eachFigure<T>(valueOf: (name: PlanNumberName) => T): Record<PlanNumberName, T>
export function eachFigure(valueOf: (name: PlanNumberName) => unknown): Record<string, unknown> {
  return Object.fromEntries(FIGURE_NAMES.map((name) => [name, valueOf(name)]))
}

/** Returns the numbers of a plan, its pace among them. */
export const figuresOf = ({ pace, ...plan }: Plan): Record<PlanNumberName, number> =>
  eachFigure((name) => ({ ...plan, ...pace })[name])

/** The fields of an account that are copies, in the order of forms. */
export const PLAN_NUMBERS = FIGURE_NAMES.flatMap((name) => PLAN_FIGURES[name].copiedTo ?? [])

/** Returns the numbers that selecting a plan fills in. */
export function planNumbers(plan: Plan): PlanNumbers
export function planNumbers(plan: Plan): Record<string, number> {
  const figures = figuresOf(plan)
  const copied = FIGURE_NAMES.filter((name) => PLAN_FIGURES[name].copiedTo !== null)
  return Object.fromEntries(
    copied.map((name): [string, number] => [String(PLAN_FIGURES[name].copiedTo), figures[name]]),
  )
}

/** Returns how many units a video uses of an account with this limit (`unitsOfClip`, in SQL). */
export const unitsAt = (clipUnits: number, videoLimit: number): number =>
  Math.max(1, Math.min(clipUnits, videoLimit))
