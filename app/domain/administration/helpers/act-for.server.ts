import type { AdminCtx, Ctx, HelperCtx, Right } from '../../context'
import { AppError } from '../../errors'

/**
 * Returns the context in which an administrator's command runs for a helper who has the right; the
 * activity log names the helper. Only this file turns a permission into an administrator's power. Throws
 * FORBIDDEN.
 */
export function actFor({ actor, ...rest }: HelperCtx, right: Right): AdminCtx {
  if (!actor.rights.includes(right))
    throw new AppError('FORBIDDEN', 'You do not have the right to do this')
  return { ...rest, actor: { ...actor, role: 'admin' } }
}

/**
 * Returns the context in which the holder of a prepaid code gets what the code is for: its maker was
 * allowed to sell it, and the activity log names the holder.
 */
export const actByCode = (
  { actor: _, ...rest }: Ctx,
  { id, username }: { id: string; username: string },
): AdminCtx => ({
  ...rest,
  actor: { kind: 'user', id, username, role: 'admin', proof: 'recent' },
})
