import { PLANS } from '../plans/catalogue'
import type { PlanName } from '../plans/types'

/** Limits and defaults of the administrators' forms (specification §§5 and 9). */
export const USER_RULES = {
  generationSpeed: { min: 0, max: 180 },
  expireDays: 30,
  /** Days left that are shown as a warning. */
  warningDays: 7,
  /** The filter 'expires soon'. */
  soonDays: 3,
  /** The filter 'over 80 % of quota'. */
  nearlyUsedPercent: 80,
  importAtOnce: 100,
  trashDays: 7,
} as const

/** What an empty create form shows. The speed is the specification's, not the plan's. */
export const CREATE_DEFAULTS = {
  role: 'user',
  plan: 'Starter',
  videoLimit: 20,
  speedLimit: 1,
  videoGenerationSpeed: 60,
  expireDays: USER_RULES.expireDays,
} as const

/** What the edit form shows where an account has no numbers of its own: it has no plan. */
export const EDIT_DEFAULTS = {
  videoLimit: 20,
  speedLimit: 5,
  videoGenerationSpeed: 15,
  expireDays: USER_RULES.expireDays,
} as const

/** What an import's line gets where it says nothing that can be read. */
export const IMPORT_DEFAULTS = {
  role: 'user',
  plan: 'Starter',
  videoLimit: 100,
  speedLimit: 5,
  videoGenerationSpeed: 10,
  expireDays: USER_RULES.expireDays,
} as const

export const ALL_USERS_DELETED = 'All non-admin users have been removed.'

/** Said of a phone number that has an account. */
export const USER_EXISTS = 'User already exists'

export type PlanNumbers = { videoLimit: number; speedLimit: number; videoGenerationSpeed: number }

/** The numbers that choosing a plan fills in. */
export function planNumbers(plan: PlanName): PlanNumbers {
  const { videosPerDay, pace } = PLANS[plan]
  return {
    videoLimit: videosPerDay,
    speedLimit: pace.videos,
    videoGenerationSpeed: pace.delaySeconds,
  }
}

export type DaysLeftTone = 'plain' | 'warn' | 'bad'

/** The Days Left column: N/A, Expired, Today, Nd; seven or fewer are a warning. */
export function daysLeftText(daysLeft: number | null): { text: string; tone: DaysLeftTone } {
  if (daysLeft === null) return { text: 'N/A', tone: 'plain' }
  if (daysLeft < 0) return { text: 'Expired', tone: 'bad' }
  if (daysLeft === 0) return { text: 'Today', tone: 'warn' }
  return { text: `${daysLeft}d`, tone: daysLeft <= USER_RULES.warningDays ? 'warn' : 'plain' }
}

/**
 * The days that the edit form shows and, sent back unchanged, leave the account's end alone
 * (decision Q-44).
 */
export function shownExpireDays(daysLeft: number | null): number {
  return daysLeft !== null && daysLeft >= 1 ? daysLeft : EDIT_DEFAULTS.expireDays
}
