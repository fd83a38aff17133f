import type { AdminCtx, Deps, HelperCtx, UserCtx, VisitorCtx } from '~/domain/context'
import { AppError } from '~/domain/errors'
import { accountOf, type LoadContext } from './load-context'

/** Returns the domain's context for a visitor, signed in or not. */
export function visitorCtx(deps: Deps, { requestId, address, device }: LoadContext): VisitorCtx {
  return { ...deps, requestId, actor: { kind: 'visitor', address, device } }
}

/**
 * Returns the domain's context for the signed-in user, or the one whose program makes the call. Throws
 * NOT_SIGNED_IN.
 */
export function userCtx(deps: Deps, context: LoadContext): UserCtx {
  const account = accountOf(context)
  if (!account) throw new AppError('NOT_SIGNED_IN', 'Please sign in')
  const { id, role, username } = account
  return { ...deps, requestId: context.requestId, actor: { kind: 'user', id, role, username } }
}

/** Returns the domain's context for an editor with rights, or an administrator. Throws NOT_SIGNED_IN. */
export function helperCtx(deps: Deps, context: LoadContext): HelperCtx {
  const { actor, ...rest } = userCtx(deps, context)
  const { rights = [], proof = 'old' } = context.visitor ?? {}
  return { ...rest, actor: { ...actor, rights, proof } }
}

/** Returns the domain's context for an administrator. Throws NOT_SIGNED_IN or FORBIDDEN. */
export function adminCtx(deps: Deps, context: LoadContext): AdminCtx {
  const { actor, ...rest } = userCtx(deps, context)
  const { role } = actor
  const proof = context.visitor?.proof ?? 'old'
  if (role !== 'admin') throw new AppError('FORBIDDEN', 'This is only for administrators')
  return { ...rest, actor: { ...actor, role, proof } }
}
