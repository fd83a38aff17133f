import sql from 'sql-template-tag'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import type { ChangePasswordInput } from './schemas'
import { endSessionsOf } from './sessions.server'

/**
 * Sets a new password and ends the user's other sessions. Throws BAD_INPUT when the old password
 * is wrong.
 */
export async function changePassword(
  ctx: UserCtx,
  input: ChangePasswordInput & { keepToken: string },
): Promise<void> {
  const { id } = ctx.actor
  const found = await ctx.db.row<{ passwordHash: string | null }>(sql`
    select password_hash as "passwordHash" from users where id = ${id}`)
  if (!(await ctx.passwords.verify(found?.passwordHash ?? null, input.oldPassword))) {
    throw new AppError('BAD_INPUT', 'The old password is wrong', {
      fields: { oldPassword: ['The old password is wrong'] },
    })
  }
  const passwordHash = await ctx.passwords.hash(input.newPassword)
  await ctx.db.transaction(async (tx) => {
    await tx.run(sql`update users set password_hash = ${passwordHash} where id = ${id}`)
    await endSessionsOf(tx, id, input.keepToken)
  })
}
