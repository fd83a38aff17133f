import sql from 'sql-template-tag'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { noteAccess } from '../trail.server'
import { giveTriesBack, judging, passwordTries, takeTries, WRONG_PASSWORDS } from './tries.server'

/**
 * Asks somebody who is signed in for their password once more, before something an open browser alone
 * must not do. Wrong ones are counted for the user alone. Throws BAD_INPUT or RATE_LIMITED.
 */
export async function confirmPassword(ctx: UserCtx, password: string): Promise<void> {
  const { id, username } = ctx.actor
  const tries = passwordTries(ctx)
  await takeTries(tries, WRONG_PASSWORDS)
  const isRight = await judging(tries, async () => {
    const found = await ctx.db.row<{ passwordHash: string | null }>(sql`
      select password_hash as "passwordHash" from users where id = ${id}`)
    return ctx.passwords.verify(found?.passwordHash ?? null, password)
  })
  if (!isRight) {
    const user = { id, username }
    await noteAccess(ctx.db, { action: 'auth.wrong-password', user, isUser: true })
    const problem = 'This is not your password'
    throw new AppError('BAD_INPUT', problem, { fields: { password: [problem] } })
  }
  await giveTriesBack(tries)
}
