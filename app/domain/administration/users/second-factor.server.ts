import { proveOneself } from '../../accounts/proof.server'
import type { TypedCode } from '../../accounts/schemas'
import { dropSecondFactor } from '../../accounts/second-factor.server'
import { endSessionsOf } from '../../accounts/sessions.server'
import type { AdminCtx } from '../../context'
import { AppError } from '../../errors'
import { logActivity } from '../../activity/write.server'
import { getManagedUser } from './users-query.server'

/**
 * Switches two-step sign-in off for a user who has lost their device, ends their sessions and
 * writes an entry of the activity log. Requires the administrator's own password, with their code if they have one. Administrators switch off their
 * own on its page, with a code. Returns the username. Throws BAD_INPUT, NOT_FOUND, CONFLICT or
 * RATE_LIMITED.
 */
export async function switchOffSecondFactor(
  ctx: AdminCtx,
  { id, password, ...typed }: TypedCode & { id: string; password: string },
): Promise<string> {
  if (id === ctx.actor.id) {
    throw new AppError('CONFLICT', 'Switch off your own under "Two-step sign-in". It takes a code.')
  }
  await proveOneself(ctx, { ownPassword: password, ...typed }, { field: 'password' })
  return ctx.db.transaction(async (tx) => {
    const { username } = await getManagedUser(ctx, tx, id)
    if (!(await dropSecondFactor(tx, id))) {
      throw new AppError('CONFLICT', `${username} does not use two-step sign-in`)
    }
    await endSessionsOf(tx, id)
    const subject = { kind: 'user', id, name: username } as const
    await logActivity(tx, ctx, { action: 'user.second-factor-off', subject })
    return username
  })
}
