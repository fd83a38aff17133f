import { json, redirect } from '@remix-run/node'
import type { AppLoadContext } from '@remix-run/node'
import { webBoot } from '~/boot/web.server'
import { homePath } from '~/domain/accounts/rules'
import type { Account } from '~/domain/accounts/types'
import type { AdminCtx, HelperCtx, Right, UserCtx, UserRole, VisitorCtx } from '~/domain/context'
import { HTTP_STATUS } from '~/domain/errors'
import { loginPath } from '~/lib/paths'
import { adminCtx, helperCtx, userCtx, visitorCtx } from './make-ctx.server'

type Args = { request: Request; context: AppLoadContext }

export type SignedInArgs = {
  ctx: UserCtx
  account: Account
  now: Date
  token: string
  /** Identifies the session. It does not change with the token. */
  sessionId: string
  /** What an editor may do for the administrators. */
  rights: readonly Right[]
}

/** Returns the signed-in user. Throws a redirect to sign-in, which leads back to this page. */
export function requireUser({ request, context }: Args): SignedInArgs {
  const { visitor } = context
  if (!visitor) {
    const { pathname, search } = new URL(request.url)
    throw redirect(loginPath(pathname + search))
  }
  const { account, now, token, sessionId, rights } = visitor
  return { ctx: userCtx(webBoot().deps, context), account, now, token, sessionId, rights }
}

export type AdminArgs = SignedInArgs & { ctx: AdminCtx }

/**
 * Returns the signed-in administrator. Throws a redirect to sign-in for visitors. Throws a 403 for
 * other users, which the administrator layout explains before it redirects (`AccessDenied`).
 */
export function requireAdmin(args: Args): AdminArgs {
  const signedIn = requireUser(args)
  if (signedIn.account.role !== 'admin') throw json(null, HTTP_STATUS.FORBIDDEN)
  return { ...signedIn, ctx: adminCtx(webBoot().deps, args.context) }
}

/** Returns the context of whoever asks, and the account of those who are signed in. */
export function anyone({ context }: Args): { ctx: VisitorCtx; account: Account | null } {
  return { ctx: visitorCtx(webBoot().deps, context), account: context.visitor?.account ?? null }
}

export type HelperArgs = SignedInArgs & { ctx: HelperCtx }

/**
 * Returns an editor with the right, or an administrator; without a right any helper. Throws like
 * `requireAdmin`.
 */
export function requireHelper(args: Args, right?: Right): HelperArgs {
  const signedIn = requireUser(args)
  const ctx = helperCtx(webBoot().deps, args.context)
  const { rights } = ctx.actor
  const may = right === undefined ? rights.length > 0 : rights.includes(right)
  if (!may) throw json(null, HTTP_STATUS.FORBIDDEN)
  return { ...signedIn, ctx }
}

/**
 * Returns the context of a visitor. Throws a redirect for signed-in users: to their home page, or
 * to the path that `elsewhere` returns for their role.
 */
export function requireGuest(
  { context }: Args,
  elsewhere: (role: UserRole) => string = homePath,
): VisitorCtx {
  if (context.visitor) throw redirect(elsewhere(context.visitor.account.role))
  return visitorCtx(webBoot().deps, context)
}
