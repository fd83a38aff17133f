import type { AdminCtx, HelperCtx, Right } from '../../context'
import { AppError } from '../../errors'

/**
 * Returns the context in which an administrator's command runs for a helper who has the right; the
 * activity log names the helper. The only place where a right becomes an administrator's power. Throws
 * FORBIDDEN.
 */
export function actFor({ actor, ...rest }: HelperCtx, right: Right): AdminCtx {
  if (!actor.rights.includes(right))
    throw new AppError('FORBIDDEN', 'You do not have the right to do this')
  return { ...rest, actor: { ...actor, role: 'admin' } }
}
