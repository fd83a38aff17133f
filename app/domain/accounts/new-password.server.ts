import { dictionary } from '@zxcvbn-ts/language-common'
import { trimText } from '~/lib/text'
import type { Deps } from '../context'
import { AppError } from '../errors'
import { nameForms } from '../names/name-forms.server'
import { LIMITS } from './rules'

/**
 * How many of the most common passwords of sufficient length are rejected (OWASP ASVS 5, 6.2.4).
 * The list is ordered by frequency.
 */
const REFUSED = 3000
const COMMON = new Set(
  dictionary['passwords-common']
    .filter(({ length }) => length >= LIMITS.passwordCharacters)
    .slice(0, REFUSED),
)

type Owned = { password: string; username: string }

/** Returns why a password is too easy to guess, or null. */
export function weakPasswordProblem(
  { settings }: Pick<Deps, 'settings'>,
  { password, username }: Owned,
): string | null {
  if (trimText(password) === '' || COMMON.has(password.toLowerCase())) {
    return 'This password is too easy to guess. Choose another one.'
  }
  const [asName, own] = [password, username].map(
    (text) => nameForms(text, settings.phoneCountries).stored,
  )
  return asName === own ? 'The username cannot be the password. Choose another one.' : null
}

/**
 * Hashes a password that a user chooses. Every command that sets a chosen password must call this.
 * Throws BAD_INPUT on `field` if the password is too easy to guess.
 */
export async function hashNewPassword(
  ctx: Pick<Deps, 'settings' | 'passwords'>,
  { field = 'password', ...owned }: Owned & { field?: string },
): Promise<string> {
  const problem = weakPasswordProblem(ctx, owned)
  if (problem !== null) throw new AppError('BAD_INPUT', problem, { fields: { [field]: [problem] } })
  return ctx.passwords.hash(owned.password)
}
