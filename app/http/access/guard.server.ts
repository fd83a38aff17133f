import type { NextFunction, Request, Response } from 'express'
import { findProgram } from '~/domain/accounts/api-keys.server'
import { wasCrowdedOut } from '~/domain/accounts/known-devices.server'
import { findSignedIn, touchSession, type SignedIn } from '~/domain/accounts/sessions.server'
import type { KnownDevice } from '~/domain/context'
import { AppError } from '~/domain/errors'
import { minutes } from '~/lib/time'
import { deniedPath } from '~/domain/accounts/rules'
import { readDialog } from '~/lib/dialog-address'
import { loginPath, paths, safeRedirect } from '~/lib/paths'
import type { Boot } from '~/boot/deps.server'
import { findAccess, mayEnter, methodsOf, type Principal, type RoutePath } from './access'
import {
  readDevice,
  readInvite,
  readSessionToken,
  type Cookies,
  type Toast,
} from '../session/cookies.server'
import type { LoadContext, Visitor } from '../session/load-context'
import { keyProblem, READS } from './request-checks.server'

/** Reads the session token and the device from the request's cookies, without the database. */
export function readCookies(cookies: Cookies) {
  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    const { context } = res.locals
    context.token = await readSessionToken(cookies, req.headers.cookie)
    context.device = await readDevice(cookies, req.headers.cookie)
    context.invitedBy = await readInvite(cookies, req.headers.cookie)
    next()
  }
}

/**
 * Authenticates the request by its API key or its session, then authorises it by the access table. A key
 * opens what is for programs and nothing else, not even what is for anyone, such as signing in.
 */
export function checkAccess({ deps }: Boot, cookies: Cookies) {
  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    const access = findAccess(req.path)
    const method = req.method === 'HEAD' ? 'GET' : req.method
    const entry: Partial<Record<string, Principal>> = access?.entry ?? {}
    const principal = entry[method]
    if (!access) throw new AppError('NOT_FOUND', 'There is nothing here')
    if (principal === undefined) {
      res.setHeader('Allow', methodsOf(access.entry))
      throw new AppError('METHOD_NOT_ALLOWED', 'This method is not allowed here')
    }
    const { context } = res.locals
    const { token, apiKey } = context
    if (apiKey !== null) {
      if (NOWHERE.has(access.path)) return next()
      if (principal !== 'program') throw new AppError('FORBIDDEN', NOT_FOR_KEYS)
      context.program = await findProgram(deps.db, apiKey)
      return next()
    }
    const signedIn = token === null ? undefined : await findSignedIn(deps.db, token)
    if (token !== null && signedIn) {
      context.visitor = asVisitor(signedIn, token, deps.settings)
      await noteVisit(deps, req, context.visitor)
    }
    const isForAll = FOR_ALL.has(principal)
    if (!isForAll && context.visitor?.isHeldBack) return redirectToSetUp(req, res)
    // A signed-in user may continue to an administrator's page: its loader throws a 403, and the
    // layout explains it without showing any data.
    const explained = context.visitor !== null && !isApi(req.path) && READS.has(req.method)
    if (mayEnter(principal, asEntrant(context))) return next()
    if (explained) {
      // The browser shows the explanation for a few seconds and then redirects, with and without
      // scripts.
      res.setHeader(
        'Refresh',
        `${DENIED_SECONDS}; url=${deniedPath(context.visitor?.account.role)}`,
      )
      return next()
    }
    const hasEnded = token !== null && context.visitor === null
    const why = hasEnded ? await whyEnded(deps.db, context.device) : ''
    await refuse(req, res, { cookies, why })
  }
}

const DENIED_SECONDS = 3
/** The routes that only say that there is nothing. */
const NOWHERE = new Set<string>(['/api/*', '/*'] satisfies RoutePath[])
const NOT_FOR_KEYS = 'API keys are only for the calls of your own videos and batches'
/** Whose calls and pages need no role. */
const FOR_ALL = new Set<Principal>(['anyone', 'user', 'program'])

const asEntrant = ({ visitor }: LoadContext) =>
  visitor && { role: visitor.account.role, rights: visitor.rights }

function asVisitor(
  signedIn: SignedIn,
  token: string,
  { adminsNeedSecondFactor }: Boot['deps']['settings'],
): Visitor {
  const { account: owner, hasSecondFactor } = signedIn
  const isHeldBack = adminsNeedSecondFactor && owner.role === 'admin' && !hasSecondFactor
  if (!isHeldBack) return { ...signedIn, token, isHeldBack }
  const account = { ...signedIn.account, role: 'user' as const }
  return { ...signedIn, account, rights: [], token, isHeldBack }
}

/** Redirects an administrator who still has to set up two-step sign-in. */
function redirectToSetUp(req: Request, res: Response): void {
  if (isApi(req.path)) throw new AppError('FORBIDDEN', 'Set up two-step sign-in first')
  if ('_data' in req.query) redirectScriptsTo(res, paths.secondFactor)
  else res.redirect(303, paths.secondFactor)
}

const isApi = (path: string) => path.startsWith('/api/') || path.startsWith('/media/')

/**
 * Scripts of the product list JSON first in `Accept`, also when they request files and post to page
 * actions.
 */
const isCall = ({ path, headers }: Request): boolean =>
  isApi(path) || (headers.accept ?? '').startsWith('application/json')

type Refused = { cookies: Cookies; why: string }

/** Says why the session of a browser has ended, if another device has ended it. */
const whyEnded = async (db: Boot['deps']['db'], device: KnownDevice | null): Promise<string> =>
  (await wasCrowdedOut(db, device))
    ? 'This account was signed in on another device, and its plan allows no more at once. '
    : ''

/**
 * Redirects a visitor who requested a page to sign-in. Throws NOT_SIGNED_IN or FORBIDDEN for calls.
 */
async function refuse(req: Request, res: Response, { cookies, why }: Refused): Promise<void> {
  const { visitor, token } = res.locals.context
  const say = async (toast: Toast) => {
    const said = { ...toast, description: `${why}${toast.description ?? ''}` }
    res.append('Set-Cookie', await cookies.toast.serialize(said))
  }
  const page = pageOfFile(req)
  if (visitor || (isCall(req) && page === null)) {
    throw visitor
      ? new AppError('FORBIDDEN', 'This is only for administrators')
      : // A browser whose session has ended still has its cookie. A proxy may add a header of its own.
        new AppError('NOT_SIGNED_IN', (token === null ? keyProblem(req) : null) ?? 'Please sign in')
  }
  const wanted = new URL(page ?? req.originalUrl, 'http://own')
  const isData = wanted.searchParams.has('_data')
  wanted.searchParams.delete('_data')
  wanted.searchParams.delete('index')
  const isRead = READS.has(req.method)
  const route = findAccess(req.path)?.path ?? ''
  const isKept = KEEPS_TYPED.has(route)
  // What a page links to or posts to is asked for again on that page.
  const isThere = isRead || isKept || page !== null
  const login = loginPath(isThere ? wanted.pathname + wanted.search : req.path)
  // After signing out, the browser has no token left.
  if (isRead && token !== null) await say(SIGN_IN_AGAIN)
  if (isData) {
    // The form of a dialog is carried through sign-in as without scripts.
    const isDialogs = readDialog(wanted.searchParams).name !== null
    if (!isRead && !isDialogs && KEPT_BY_SCRIPTS.has(route)) await say(SESSION_ENDED)
    redirectScriptsTo(res, login)
  } else if (!isRead && isKept) {
    // With a 307 the browser posts the same form again, to the page that keeps it during sign-in.
    res.redirect(307, login.replace(paths.login, paths.resume))
  } else {
    if (!isRead) await say(NOT_CARRIED_OUT)
    res.redirect(303, login)
  }
}

/**
 * Files that a page links to. The link names the page as `from`. A user who follows such a link
 * cannot do anything with a JSON error.
 */
const LINKED_FILES = new Set<string>([paths.api.archive, paths.prompts, paths.postingList])

/**
 * Returns the page from which a browser, not a script, requests a file. Returns null for all other
 * requests.
 */
function pageOfFile({ path, query, headers }: Request): string | null {
  const isFollowed = LINKED_FILES.has(path) && (headers.accept ?? '').startsWith('text/html')
  return isFollowed && typeof query.from === 'string'
    ? safeRedirect(query.from, paths.dashboard)
    : null
}

/**
 * Shown on the sign-in page when a script was redirected to it. The page at `paths.resume` has this
 * text itself.
 */
const SESSION_ENDED = {
  kind: 'info',
  title: 'Your session has ended',
  description: 'Nothing was started. Sign in again: what you typed is still there.',
} as const satisfies Toast

/** The same, after a form whose content is not kept. */
const NOT_CARRIED_OUT = {
  kind: 'info',
  title: 'Your session has ended',
  description: 'Nothing was changed. Sign in, then try again.',
} as const satisfies Toast

/** The same, for a page that was only to be read. */
const SIGN_IN_AGAIN = {
  kind: 'info',
  title: 'Your session has ended',
  description: 'Sign in again to continue.',
} as const satisfies Toast

/** Pages whose scripts keep what the user typed in the browser. */
const KEPT_BY_SCRIPTS = new Set<string>([paths.app, paths.receipt])

/** Routes whose forms contain text that the user wrote. */
const KEEPS_TYPED = new Set<string>([
  '/app',
  '/app/receipt',
  '/dashboard',
  '/videos/:videoId',
] satisfies RoutePath[])

/**
 * Redirects in the form that Remix's scripts expect. They would treat a redirected sign-in page as
 * data.
 */
function redirectScriptsTo(res: Response, address: string): void {
  res.setHeader('X-Remix-Redirect', address)
  res.setHeader('X-Remix-Status', '302')
  res.setHeader('X-Remix-Reload-Document', 'true')
  res.status(204).end()
}

const VISIT_EVERY_MS = minutes(1)

/** Records activity of the user. Only page views and writes count, background polls do not. */
async function noteVisit(
  { db }: Boot['deps'],
  req: Request,
  { now, lastSeenAt, token }: NonNullable<LoadContext['visitor']>,
): Promise<void> {
  if (isApi(req.path) && READS.has(req.method)) return
  if (now.getTime() - lastSeenAt.getTime() < VISIT_EVERY_MS) return
  await touchSession(db, token)
}
