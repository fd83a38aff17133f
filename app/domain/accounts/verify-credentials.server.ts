import sql from 'sql-template-tag'
import type { VisitorCtx } from '../context'
import { AppError } from '../errors'
import { accountColumns } from './columns.server'
import { nameForms } from './names'
import type { SignInInput } from './schemas'
import { FAILED_SIGN_INS, giveTriesBack, signInTries, takeTries } from './tries.server'
import type { Account } from './types'

/**
 * The one check of a username and password, for the page and for the call. Unknown name and wrong
 * password are the same answer after the same work. Throws BAD_CREDENTIALS, ACCOUNT_DISABLED or
 * RATE_LIMITED.
 */
export async function verifyCredentials(ctx: VisitorCtx, input: SignInInput): Promise<Account> {
  const { stored, forms } = nameForms(input.username, ctx.settings.phoneCountryCode)
  const tries = signInTries(ctx, stored)
  await takeTries(tries, FAILED_SIGN_INS)

  const found = await ctx.db.row<Account & { passwordHash: string | null }>(sql`
    select ${accountColumns}, users.password_hash as "passwordHash"
    from users where username = any(${forms}::text[]) and deleted_at is null
    order by array_position(${forms}::text[], username) limit 1`)
  const matches = await ctx.passwords.verify(found?.passwordHash ?? null, input.password)
  if (!found || !matches) {
    throw new AppError('BAD_CREDENTIALS', 'Wrong username or password')
  }
  await giveTriesBack(tries)
  if (!found.isActive) {
    throw new AppError('ACCOUNT_DISABLED', 'This account is disabled. Contact us to open it again.')
  }
  const { passwordHash: _, ...account } = found
  return account
}
