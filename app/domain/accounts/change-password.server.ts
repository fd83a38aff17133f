import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { logAccess } from '../activity/write.server'
import { hashNewPassword } from './new-password.server'
import { proveOneself } from './proof.server'
import type { ChangePasswordInput } from './schemas'
import { endSessionsOf, startSession } from './sessions.server'

/**
 * Sets a new password, ends all sessions of the user and starts a new one for this browser, so that
 * copied cookies stop working. Returns the new session's token. Throws BAD_INPUT if the old
 * password or the code of two-step sign-in is wrong or the new one too weak, CONFLICT if the password was changed since the old one
 * was checked (by the user elsewhere or by an administrator; that password stays), and RATE_LIMITED
 * after too many wrong passwords.
 */
export async function changePassword(
  ctx: UserCtx,
  input: ChangePasswordInput & { userAgent: string | null; deviceId: string | null },
): Promise<string> {
  const { id, username } = ctx.actor
  const { code, recoveryCode } = input
  const oldHash = await proveOneself(
    ctx,
    { ownPassword: input.oldPassword, code, recoveryCode },
    { field: 'oldPassword', problem: 'The old password is wrong' },
  )
  const passwordHash = await hashNewPassword(ctx, {
    password: input.newPassword,
    username,
    field: 'newPassword',
  })
  return ctx.db.transaction(async (tx) => {
    const { count } = await tx.prisma(({ user }) =>
      user.updateMany({ where: { id, passwordHash: oldHash }, data: { passwordHash } }),
    )
    if (count === 0) {
      throw new AppError('CONFLICT', 'Your password was changed a moment ago. Try again.')
    }
    const { accessVersion } = await endSessionsOf(tx, id)
    await logAccess(tx, { action: 'auth.password', user: ctx.actor, isUser: true })
    const { userAgent, deviceId } = input
    const account = { id, accessVersion }
    return (await startSession(tx, { account, userAgent, deviceId, presented: null })).token
  })
}
