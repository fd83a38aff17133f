import sql from 'sql-template-tag'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { takeTry } from './verify-credentials.server'

/**
 * Asks somebody who is signed in for his password once more, before something an open browser alone
 * must not do. Wrong ones count as failed sign-ins. Throws BAD_INPUT or RATE_LIMITED.
 */
export async function confirmPassword(ctx: UserCtx, password: string): Promise<void> {
  const { id, username } = ctx.actor
  const throttle = ctx.throttles.signInByName
  await takeTry(throttle, username)
  const found = await ctx.db.row<{ passwordHash: string | null }>(sql`
    select password_hash as "passwordHash" from users where id = ${id}`)
  if (!(await ctx.passwords.verify(found?.passwordHash ?? null, password))) {
    const problem = 'This is not your password'
    throw new AppError('BAD_INPUT', problem, { fields: { password: [problem] } })
  }
  await throttle.giveBack(username)
}
