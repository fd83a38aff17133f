import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { logAccess } from '../activity/write.server'
import {
  giveTriesBack,
  orGiveTriesBack,
  passwordTries,
  takeTries,
  WRONG_PASSWORDS,
} from './tries.server'

/**
 * Checks the password of a signed-in user once more, before an action that an open browser alone
 * must not allow. Wrong passwords are counted per user. Throws BAD_INPUT or RATE_LIMITED.
 */
export async function confirmPassword(ctx: UserCtx, password: string): Promise<void> {
  await requireOwnPassword(ctx, { password, field: 'password' })
}

type Asked = { password: string; field: string; problem?: string }

/**
 * Checks the password of a signed-in user and returns its stored hash. A wrong password is counted
 * and written to the activity log. Throws BAD_INPUT with `problem` on `field`, or RATE_LIMITED.
 */
export async function requireOwnPassword(
  ctx: UserCtx,
  { password, field, problem = 'This is not your password' }: Asked,
): Promise<string> {
  const tries = passwordTries(ctx)
  await takeTries(tries, WRONG_PASSWORDS)
  const { hash, isRight } = await orGiveTriesBack(tries, async () => {
    const found = await ctx.db.prisma(({ user }) =>
      user.findFirst({ where: { id: ctx.actor.id }, select: { passwordHash: true } }),
    )
    const hash = found?.passwordHash ?? null
    return { hash, isRight: await ctx.passwords.verify(hash, password) }
  })
  if (hash === null || !isRight) {
    await logAccess(ctx.db, { action: 'auth.wrong-password', user: ctx.actor, isUser: true })
    throw new AppError('BAD_INPUT', problem, { fields: { [field]: [problem] } })
  }
  await giveTriesBack(tries)
  return hash
}
