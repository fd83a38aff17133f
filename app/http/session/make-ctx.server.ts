import type { AdminCtx, Deps, HelperCtx, UserCtx, VisitorCtx } from '~/domain/context'
import { AppError } from '~/domain/errors'
import { boundTo, providerOfRoute } from '~/domain/providers.server'
import { accountOf, type LoadContext } from './load-context'

/** Returns the domain's context for a visitor, signed in or not. */
export function visitorCtx(deps: Deps, context: LoadContext): VisitorCtx {
  const { requestId, address, device, invitedBy } = context
  return { ...deps, requestId, actor: { kind: 'visitor', address, device, invitedBy } }
}

/**
 * Returns the domain's context for the signed-in user, or the one whose program makes the call, with the
 * provider of the user's plan. Throws NOT_SIGNED_IN.
 */
export function userCtx(deps: Deps, context: LoadContext): UserCtx {
  const account = accountOf(context)
  if (!account) throw new AppError('NOT_SIGNED_IN', 'Please sign in')
  const { id, role, username, route } = account
  const actor = { kind: 'user', id, role, username } as const
  const own = boundTo(deps, providerOfRoute(deps, route))
  return { ...own, requestId: context.requestId, actor }
}

/** Returns the domain's context for an editor with rights, or an administrator. Throws NOT_SIGNED_IN. */
export function helperCtx(deps: Deps, context: LoadContext): HelperCtx {
  const { actor, ...rest } = userCtx(deps, context)
  const { rights = [], proof = 'old' } = context.visitor ?? {}
  return { ...rest, ...firstOf(deps), actor: { ...actor, rights, proof } }
}

/** Returns the domain's context for an administrator. Throws NOT_SIGNED_IN or FORBIDDEN. */
export function adminCtx(deps: Deps, context: LoadContext): AdminCtx {
  const { actor, ...rest } = userCtx(deps, context)
  const { role } = actor
  const proof = context.visitor?.proof ?? 'old'
  if (role !== 'admin') throw new AppError('FORBIDDEN', 'This is only for administrators')
  return { ...rest, ...firstOf(deps), actor: { ...actor, role, proof } }
}

/** What concerns the whole installation is not about the provider of one's own plan. */
const firstOf = ({ provider, otherProviders }: Deps) => ({ provider, otherProviders })
