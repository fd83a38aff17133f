import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { dayAfter } from '~/lib/day'
import { dayIn, days } from '~/lib/time'
import { planIncludes } from '../plans/catalogue'
import { unitsAt } from '../plans/numbers'
import type { Account } from './types'
import type { TrialSettings, UserRole } from '../context'

export const LIMITS = {
  nameMaxCharacters: 64,
  passwordCharacters: 6,
  passwordMaxCharacters: 200,
  /** How long a link that sets the first password is valid. */
  passwordLinkDays: 7,
  apiKeyNameCharacters: 60,
  /** Of one account. */
  apiKeys: 10,
  /** Maximum length of a typed two-step sign-in code, including spaces. */
  codeMaxCharacters: 50,
} as const

/** Expiry dates are stored in whole milliseconds, so they may be rounded up by this much. */
const ROUNDING_MS = 1

/**
 * Returns the whole days until the account expires, rounded up. Negative after the expiry, null if
 * it never expires.
 */
export function daysLeft(expiryDate: Date | null, now: Date): number | null {
  if (expiryDate === null) return null
  const left = Math.ceil((expiryDate.getTime() - now.getTime() - ROUNDING_MS) / days(1))
  return left === 0 ? 0 : left // never −0
}

/**
 * Returns whether an account has expired. Uses the same rule as the badge, so an account whose
 * badge says 'Today' still works.
 */
export function isExpired(expiryDate: Date | null, now: Date): boolean {
  const left = daysLeft(expiryDate, now)
  return left !== null && left < 0
}

/**
 * Returns when a plan ends, as in 'ends in 3 days', by the badge's rule; null after its end. Of its last 24 hours it
 * says 'today' or 'tomorrow' by the calendar of the zone.
 */
export function endsWhen(expiryDate: Date, now: Date, timeZone: string): string | null {
  const left = daysLeft(expiryDate, now) ?? 0
  if (left < 0) return null
  const [endDay, today] = [dayIn(timeZone, expiryDate), dayIn(timeZone, now)]
  if (left === 0 || (left === 1 && endDay === today)) return 'today'
  return left === 1 && endDay === dayAfter(today) ? 'tomorrow' : `in ${plural(left, 'day')}`
}

/** Returns the page a user sees after signing in (decision Q-1). */
export function homePath(role: UserRole): string {
  return role === 'admin' ? paths.admin.overview : paths.app
}

/** Returns where a user who opened an administrators' page is redirected. */
export function deniedPath(role: UserRole | undefined): '/dashboard' | '/app' {
  return role === 'editor' ? '/dashboard' : '/app'
}

/**
 * Returns whether an account may have API keys: those of administrators, of the plan that includes
 * them, and those that an administrator allows them.
 */
export function mayUseApi({
  role,
  plan,
  apiAllowed,
}: Pick<Account, 'role' | 'plan' | 'apiAllowed'>): boolean {
  return role === 'admin' || planIncludes(plan, 'api-keys') || apiAllowed
}

export type Standing = 'ok' | 'disabled' | 'expired' | 'no-plan'

/** Returns whether an account may start new work, and if not, why. */
export function standing(
  account: Pick<Account, 'isActive' | 'plan' | 'expiryDate'>,
  now: Date,
): Standing {
  if (!account.isActive) return 'disabled'
  if (account.plan === null) return 'no-plan'
  return isExpired(account.expiryDate, now) ? 'expired' : 'ok'
}

export type PasswordChange = { oldPassword: string; newPassword: string; confirmPassword: string }
type PasswordProblem = { title: string; text: string }

/** Wording from the specification (§5). */
const PASSWORD_PROBLEMS = {
  empty: { title: 'All fields required', text: 'Please fill in all password fields' },
  different: {
    title: "Passwords don't match",
    text: 'New password and confirm password must match',
  },
  short: {
    title: 'Password too short',
    text: `Password must be at least ${LIMITS.passwordCharacters} characters`,
  },
} as const satisfies Record<string, PasswordProblem>

/**
 * Returns the first problem of a password change that can be found without checking the old
 * password, or null.
 */
export function passwordChangeProblem(
  change: PasswordChange,
): (PasswordProblem & { field: keyof PasswordChange }) | null {
  const empty = PASSWORD_FIELDS.find((field) => change[field] === '')
  if (empty) return { ...PASSWORD_PROBLEMS.empty, field: empty }
  if (change.newPassword !== change.confirmPassword) {
    return { ...PASSWORD_PROBLEMS.different, field: 'confirmPassword' }
  }
  const isShort = Array.from(change.newPassword).length < LIMITS.passwordCharacters
  return isShort ? { ...PASSWORD_PROBLEMS.short, field: 'newPassword' } : null
}

const PASSWORD_FIELDS = ['oldPassword', 'newPassword', 'confirmPassword'] as const

/** Returns the title of the toast for a failed password change with this text. */
export function passwordChangeTitle(text: string): string {
  const known = Object.values(PASSWORD_PROBLEMS).find((problem) => problem.text === text)
  return known?.title ?? 'Failed to change password'
}

/** Returns what a new account may make for nothing, as '3 free videos a day for 3 days'; null: nothing. */
export const trialText = ({
  videos,
  days,
}: Pick<TrialSettings, 'videos' | 'days'>): string | null =>
  videos === 0 ? null : `${plural(videos, 'free video')} a day for ${plural(days, 'day')}`

/** Returns a trial with whole videos a day, of which each uses so many units (`unitsOfClip`). */
export const trialInVideos = <Trial extends Pick<TrialSettings, 'videos'>>(
  trial: Trial,
  clipUnits: number,
): Trial => ({
  ...trial,
  videos: Math.floor(trial.videos / unitsAt(clipUnits, trial.videos)),
})
