import type { Deps, UserCtx, VisitorCtx } from '~/domain/context'
import { AppError } from '~/domain/errors'
import type { LoadContext } from './load-context'

/** The domain's context for somebody who need not be signed in. */
export function visitorCtx(deps: Deps, { requestId, address }: LoadContext): VisitorCtx {
  return { ...deps, requestId, actor: { kind: 'visitor', address } }
}

/** The domain's context for the signed-in user. Throws NOT_SIGNED_IN. */
export function userCtx(deps: Deps, { requestId, visitor }: LoadContext): UserCtx {
  if (!visitor) throw new AppError('NOT_SIGNED_IN', 'Please sign in')
  const { id, role, username } = visitor.account
  return { ...deps, requestId, actor: { kind: 'user', id, role, username } }
}
