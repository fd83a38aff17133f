import sql from 'sql-template-tag'
import type { Throttle } from '~/platform/throttle/port'
import type { VisitorCtx } from '../context'
import { AppError } from '../errors'
import { accountColumns } from './columns.server'
import { nameForms } from './names'
import type { SignInInput } from './schemas'
import type { Account } from './types'

/**
 * The one check of a username and password, for the page and for the call. Unknown name and wrong
 * password are the same answer after the same work. Throws BAD_CREDENTIALS, ACCOUNT_DISABLED or
 * RATE_LIMITED.
 */
export async function verifyCredentials(ctx: VisitorCtx, input: SignInInput): Promise<Account> {
  const { stored, forms } = nameForms(input.username, ctx.settings.phoneCountryCode)
  const tries: [Throttle, string][] = [
    [ctx.throttles.signInByName, stored],
    [ctx.throttles.signInByAddress, ctx.actor.address],
  ]
  // Taken before the check and given back after a good one: parallel guesses cannot slip through.
  for (const [throttle, key] of tries) await takeTry(throttle, key)

  const found = await ctx.db.row<Account & { passwordHash: string | null }>(sql`
    select ${accountColumns}, users.password_hash as "passwordHash"
    from users where username = any(${forms}::text[]) and deleted_at is null
    order by array_position(${forms}::text[], username) limit 1`)
  const matches = await ctx.passwords.verify(found?.passwordHash ?? null, input.password)
  if (!found || !matches) {
    throw new AppError('BAD_CREDENTIALS', 'Wrong username or password')
  }
  await Promise.all(tries.map(([throttle, key]) => throttle.giveBack(key)))
  if (!found.isActive) {
    throw new AppError('ACCOUNT_DISABLED', 'This account is disabled. Contact us to open it again.')
  }
  const { passwordHash: _, ...account } = found
  return account
}

/** Takes one of the tries that failed sign-ins are counted by. Throws RATE_LIMITED. */
export async function takeTry(throttle: Throttle, key: string): Promise<void> {
  const answer = await throttle.take(key)
  if (answer.ok) return
  const wait = Math.max(1, Math.ceil(answer.retryAfterSeconds / 60))
  throw new AppError(
    'RATE_LIMITED',
    `Too many failed sign-ins. Try again in ${wait} ${wait === 1 ? 'minute' : 'minutes'}.`,
    { retryAfterSeconds: answer.retryAfterSeconds },
  )
}
