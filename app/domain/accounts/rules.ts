import { days } from '~/lib/time'
import type { Account, UserRole } from './types'

export const LIMITS = {
  phoneCharacters: 8,
  /** The fifteen digits of E.164, and 00 before them. */
  phoneMaxDigits: 17,
  nameMaxCharacters: 64,
  passwordCharacters: 6,
  passwordMaxCharacters: 200,
  /** A link that sets the first password works for so long. */
  passwordLinkDays: 7,
  /** A code of two-step sign-in as it may be typed, spaces and all. */
  codeMaxCharacters: 50,
} as const

/** An end is stored in whole milliseconds: at most this much later than it was meant. */
const ROUNDING_MS = 1

/** Whole days until the account ends, rounded up; negative when it has ended; null for never. */
export function daysLeft(expiryDate: Date | null, now: Date): number | null {
  if (expiryDate === null) return null
  const left = Math.ceil((expiryDate.getTime() - now.getTime() - ROUNDING_MS) / days(1))
  return left === 0 ? 0 : left // never −0
}

/** The badge and the gate ask the same question, so a badge that says 'Today' still works. */
export function isExpired(expiryDate: Date | null, now: Date): boolean {
  const left = daysLeft(expiryDate, now)
  return left !== null && left < 0
}

/** Where a role lands after signing in. */
export function homePath(role: UserRole): '/dashboard' | '/app' {
  return role === 'admin' ? '/dashboard' : '/app'
}

/** Where somebody who opened an administrator's page is led. */
export function deniedPath(role: UserRole | undefined): '/dashboard' | '/app' {
  return role === 'editor' ? '/dashboard' : '/app'
}

export type Standing = 'ok' | 'disabled' | 'expired' | 'no-plan'

/** Whether an account may start new work, and if not, why. */
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

/** In the specification's words (§5). */
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

/** What is wrong with a change of password before anybody looks at the old one, or null. */
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

/** What heads the toast of a change that failed with this text. */
export function passwordChangeTitle(text: string): string {
  const known = Object.values(PASSWORD_PROBLEMS).find((problem) => problem.text === text)
  return known?.title ?? 'Failed to change password'
}
