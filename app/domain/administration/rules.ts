import type { UserRole } from '../context'
import { PLAN_NUMBERS } from '../plans/numbers'
import { NEARLY_USED_PERCENT } from '../quota/rules'

/** Limits and defaults of the administrators' forms (specification §§5 and 9). */
export const USER_RULES = {
  expireDays: 30,
  /** Days left at or below which a warning is shown. */
  warningDays: 7,
  /** For the filter 'expires soon'. */
  soonDays: 3,
  /** For the filter 'expired lately'. */
  latelyDays: 14,
  /** For the filter 'over 80 % of quota'. */
  nearlyUsedPercent: NEARLY_USED_PERCENT,
  importAtOnce: 100,
  trashDays: 7,
} as const

/** Initial values of the create form. The speed is the specification's, not the plan's. */
export const CREATE_DEFAULTS = {
  role: 'user',
  plan: 'Starter',
  videoLimit: 20,
  speedLimit: 1,
  videoGenerationSpeed: 60,
  expireDays: USER_RULES.expireDays,
} as const

/** Values in the edit form for an account without a plan and therefore without its own numbers. */
export const EDIT_DEFAULTS = {
  videoLimit: 20,
  speedLimit: 5,
  videoGenerationSpeed: 15,
  expireDays: USER_RULES.expireDays,
} as const

/** Values for fields of an import's line that are missing or unreadable. */
export const IMPORT_DEFAULTS = {
  role: 'user',
  plan: 'Starter',
  videoLimit: 100,
  speedLimit: 5,
  videoGenerationSpeed: 10,
} as const

/**
 * Returns the days of a new account for which none are given. Administrators and editors never
 * expire (decision Q-17).
 */
export const defaultExpireDays = (role: UserRole): number | null =>
  role === 'user' ? USER_RULES.expireDays : null

export const ALL_USERS_DELETED = 'All non-admin users have been removed.'

/** Error message for a phone number that has an account. */
export const USER_EXISTS = 'User already exists'

/** The fields that make up what was sold. They change together. */
export const PLAN_FIELDS = ['plan', ...PLAN_NUMBERS] as const

/** Name of the hidden field with the values of `PLAN_FIELDS` that a form showed, as one text. */
export const PLAN_SHOWN = 'planShown'

export type DaysLeftTone = 'plain' | 'warn' | 'bad'

/**
 * Returns the text of the Days Left column: N/A, Expired, Today, Nd. Seven or fewer are a warning.
 */
export function daysLeftText(daysLeft: number | null): { text: string; tone: DaysLeftTone } {
  if (daysLeft === null) return { text: 'N/A', tone: 'plain' }
  if (daysLeft < 0) return { text: 'Expired', tone: 'bad' }
  if (daysLeft === 0) return { text: 'Today', tone: 'warn' }
  return { text: `${daysLeft}d`, tone: daysLeft <= USER_RULES.warningDays ? 'warn' : 'plain' }
}

/** Name of the hidden field with the value that the account had when the edit form opened. */
export const beforeField = <Name extends string>(name: Name): `${Name}Before` => `${name}Before`

/**
 * Returns the days that the edit form shows. If they are sent back unchanged, the account's expiry
 * date does not change (decision Q-44). Nothing for an account that ends today or has expired: a
 * number would look like days that it has.
 */
export function shownExpireDays(daysLeft: number | null): number | '' {
  if (daysLeft === null) return EDIT_DEFAULTS.expireDays
  return daysLeft >= 1 ? daysLeft : ''
}
