import type { Right, UserRole } from '~/domain/context'

/**
 * Who may use a route with a given method: an editor needs the right that is named, or any right for
 * `helper`; each form of such a page asks for its own (`actFor`). Administrators may use all. A
 * `program` is a request with an API key: it may use only what names it, for its user's own work, and every
 * signed-in user may use that too. Pages
 * for visitors only redirect signed-in users themselves (`requireGuest`).
 */
export type Principal = 'anyone' | 'user' | 'program' | 'helper' | Right | 'admin'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Entry = Partial<Record<Method, Principal>>

const PAGE = { GET: 'user' } as const satisfies Entry
const FORM_PAGE = { GET: 'user', POST: 'user' } as const satisfies Entry
const ADMIN_PAGE = { GET: 'admin' } as const satisfies Entry
const ADMIN_FORM_PAGE = { GET: 'admin', POST: 'admin' } as const satisfies Entry
const PUBLIC_PAGE = { GET: 'anyone' } as const satisfies Entry
const PUBLIC_FORM = { GET: 'anyone', POST: 'anyone' } as const satisfies Entry

/**
 * The access table: every route of the product and who may use it. The server does not start if a
 * route is missing here. A method that is missing gets a 405. `:name` matches one segment, `*`
 * matches the rest of the path.
 */
export const ACCESS = {
  '/': PUBLIC_PAGE,
  '/pricing': PUBLIC_PAGE,
  '/refund-policy': PUBLIC_PAGE,
  '/shared/:token': PUBLIC_PAGE,
  '/shared/:token/clip.mp4': PUBLIC_PAGE,
  '/shared/:token/poster.jpg': PUBLIC_PAGE,
  '/shared/:token/download': PUBLIC_PAGE,
  '/shared/:token/:videoId/:file': PUBLIC_PAGE,
  '/paid': PUBLIC_FORM,
  '/redeem': PUBLIC_FORM,
  '/login': PUBLIC_FORM,
  '/register': PUBLIC_FORM,
  '/logout': { POST: 'anyone' },
  '/set-password': PUBLIC_FORM,
  '/confirm-email': PUBLIC_FORM,
  '/app': FORM_PAGE,
  '/app/receipt': FORM_PAGE,
  '/app/list': FORM_PAGE,
  '/app/rewrite': FORM_PAGE,
  '/usage': PAGE,
  '/prompts/used': PAGE,
  '/resume': PUBLIC_FORM,
  '/dashboard': FORM_PAGE,
  '/videos/deleted': FORM_PAGE,
  '/videos/download': PAGE,
  '/films/new': FORM_PAGE,
  '/films/joined': PAGE,
  '/films/:filmId/:file': PAGE,
  '/resources/films': PAGE,
  '/batches': FORM_PAGE,
  '/batches/:batchId': FORM_PAGE,
  '/collections': FORM_PAGE,
  '/collections/:collectionId': FORM_PAGE,
  '/videos/:videoId': FORM_PAGE,
  '/helper': { GET: 'helper', POST: 'helper' },
  '/admin/helpers': ADMIN_FORM_PAGE,
  '/admin/prompts': { GET: 'prompts', POST: 'prompts' },
  '/admin': ADMIN_FORM_PAGE,
  '/admin/users/import': ADMIN_FORM_PAGE,
  '/admin/users/assign-tokens': ADMIN_FORM_PAGE,
  '/admin/users/export': ADMIN_FORM_PAGE,
  '/admin/users/trash': ADMIN_FORM_PAGE,
  '/admin/users/change': ADMIN_FORM_PAGE,
  '/admin/users/:userId': ADMIN_FORM_PAGE,
  '/admin/users/:userId/chat': { POST: 'admin' },
  '/admin/renewals': ADMIN_FORM_PAGE,
  '/admin/changes/:changeId': ADMIN_FORM_PAGE,
  '/admin/activity': ADMIN_PAGE,
  '/admin/activity/export': ADMIN_PAGE,
  '/admin/videos': ADMIN_FORM_PAGE,
  '/admin/videos/trash': ADMIN_FORM_PAGE,
  '/admin/tokens': ADMIN_FORM_PAGE,
  '/admin/system/runbook': { GET: 'admin' },
  '/admin/system': ADMIN_PAGE,
  '/admin/settings': ADMIN_FORM_PAGE,
  '/admin/overview': ADMIN_PAGE,
  '/admin/payments': ADMIN_FORM_PAGE,
  '/admin/payments/unpaid': ADMIN_FORM_PAGE,
  '/admin/payments/export': ADMIN_PAGE,
  '/admin/payments/:paymentId/screenshot': ADMIN_PAGE,
  '/admin/codes': { GET: 'codes', POST: 'codes' },
  '/admin/plans': ADMIN_FORM_PAGE,
  '/admin/setup': ADMIN_FORM_PAGE,
  '/admin/confirm': { GET: 'helper', POST: 'helper' },
  '/account/password': FORM_PAGE,
  '/account/sessions': FORM_PAGE,
  '/account/keys': FORM_PAGE,
  '/account/notifications': FORM_PAGE,
  '/account/two-step': FORM_PAGE,
  '/resources/daily-prompt': { POST: 'user' },
  '/resources/announcement': { POST: 'user' },
  '/resources/theme': { POST: 'anyone' },
  '/resources/sidebar': { POST: 'user' },
  '/resources/videos/:videoId/edit': { POST: 'program' },
  '/resources/prompts': { GET: 'user', POST: 'user' },
  '/resources/posting-list': { GET: 'user', POST: 'user' },
  '/resources/batches/:batchId/:place': PAGE,
  '/media/:file': { GET: 'program' },
  '/api/auth/me': { GET: 'user' },
  '/api/auth/login': { POST: 'anyone' },
  '/api/auth/login/code': { POST: 'anyone' },
  '/api/auth/register': { POST: 'anyone' },
  '/api/auth/logout': { POST: 'anyone' },
  '/api/auth/user/change-password': { POST: 'user' },
  '/api/account/device': { PUT: 'user' },
  '/api/codes/redeem': { POST: 'program' },
  '/api/prompts/daily': { GET: 'user' },
  '/api/prompts/:promptId/copy': { POST: 'user' },
  '/api/prompts/:promptId/skip': { POST: 'user' },
  '/api/admin/prompts': { GET: 'admin', POST: 'admin' },
  '/api/admin/prompts/bulk': { POST: 'admin' },
  '/api/admin/prompts/delete-selected': { POST: 'admin' },
  '/api/admin/prompts/:promptId': { PUT: 'admin', DELETE: 'admin' },
  '/api/admin/prompts/set-daily/:promptId': { POST: 'admin' },
  '/api/videos': { GET: 'program' },
  '/api/videos/generate': { POST: 'program' },
  '/api/videos/bulk-generate': { POST: 'program' },
  '/api/videos/retry-all-failed': { POST: 'program' },
  '/api/videos/retry-selected': { POST: 'program' },
  '/api/videos/delete-by-status': { DELETE: 'program' },
  // What a stolen key deletes, its owner can restore: only a session removes videos for good.
  '/api/videos/deleted': { GET: 'program', POST: 'program', DELETE: 'user' },
  '/api/videos/downloads': { GET: 'program' },
  '/api/videos/archive': { GET: 'program', POST: 'program' },
  '/api/videos/changes': { GET: 'program' },
  '/api/videos/:videoId': { DELETE: 'program' },
  '/api/videos/:videoId/star': { PUT: 'program', DELETE: 'program' },
  '/api/videos/:videoId/links': { POST: 'program' },
  '/api/videos/:videoId/retry': { POST: 'program' },
  '/api/videos/:videoId/regenerate': { POST: 'program' },
  '/api/batches': { GET: 'program' },
  '/api/batches/:batchId': { GET: 'program', PATCH: 'program' },
  '/api/batches/:batchId/cancel': { POST: 'program' },
  '/api/batches/:batchId/move-up': { POST: 'program' },
  '/api/batches/:batchId/pause': { POST: 'program' },
  '/api/batches/:batchId/restore': { POST: 'program' },
  '/api/batches/:batchId/resume': { POST: 'program' },
  '/api/batches/:batchId/retry-failed': { POST: 'program' },
  '/api/collections': { GET: 'program', POST: 'program' },
  // A deleted collection does not come back, nor do its links.
  '/api/collections/:collectionId': { PATCH: 'program', DELETE: 'user' },
  '/api/collections/:collectionId/videos': { POST: 'program', DELETE: 'program' },
  '/api/videos/:videoId/status': { GET: 'program' },
  '/api/videos/:videoId/download': { GET: 'program' },
  '/api/admin/stats/online': { GET: 'admin' },
  '/api/admin/extra-tokens': { GET: 'admin', POST: 'admin' },
  '/api/admin/extra-tokens/:tokenId': { DELETE: 'admin' },
  '/api/admin/extra-tokens/delete-all': { DELETE: 'admin' },
  '/api/admin/videos/delete-by-status': { DELETE: 'admin' },
  '/api/admin/videos/regenerate-all': { POST: 'admin' },
  '/api/admin/videos/regenerate-selected': { POST: 'admin' },
  '/api/admin/users': { GET: 'admin', POST: 'admin' },
  '/api/admin/users/:userId': { PATCH: 'admin', PUT: 'admin', DELETE: 'admin' },
  '/api/admin/users/:userId/reset-counter': { POST: 'admin' },
  '/api/admin/users/delete-all': { DELETE: 'admin' },
  '/api/admin/users/reset-all-counters': { POST: 'admin' },
  '/api/admin/users/quick-create': { POST: 'admin' },
  '/api/admin/users/bulk-import': { POST: 'admin' },
  '/api/admin/users/assign-tokens': { POST: 'admin' },
  '/api/openapi.json': { GET: 'anyone' },
  '/.well-known/security.txt': { GET: 'anyone' },
  '/manifest.webmanifest': { GET: 'anyone' },
  '/service-worker.js': { GET: 'anyone' },
  '/csp-reports': { POST: 'anyone' },
  '/healthz': { GET: 'anyone' },
  '/readyz': { GET: 'anyone' },
  '/metrics': { GET: 'anyone' },
  '/api/*': { GET: 'anyone', POST: 'anyone', PUT: 'anyone', PATCH: 'anyone', DELETE: 'anyone' },
  '/*': { GET: 'anyone', POST: 'anyone', PUT: 'anyone', PATCH: 'anyone', DELETE: 'anyone' },
} as const satisfies Record<string, Entry>

/**
 * Returns whether somebody with a session may use a route. Null: a visitor who is not signed in. What is for
 * programs is for every signed-in user too.
 */
export function mayEnter(
  principal: Principal,
  somebody: { role: UserRole; rights: readonly Right[] } | null,
): boolean {
  if (principal === 'anyone') return true
  if (somebody === null) return false
  if (principal === 'user' || principal === 'program' || somebody.role === 'admin') return true
  return somebody.rights.some((right) => principal === 'helper' || principal === right)
}

export type RoutePath = keyof typeof ACCESS

/** The page for addresses that no other route matches. */
export const NO_ROUTE: RoutePath = '/*'

/** Sort order of one segment: static segments first, then parameters, then the wildcard. */
const rank = (segment: string) => (segment === '*' ? 2 : segment.startsWith(':') ? 1 : 0)

function bySpecificity(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = rank(left[i] ?? '*') - rank(right[i] ?? '*')
    if (difference !== 0) return difference
  }
  return 0
}

function toPattern(path: string): RegExp {
  const body = path
    .split('/')
    .map((segment) =>
      segment === '*' ? '.*' : segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '[.]'),
    )
    .join('/')
  return new RegExp(`^${body === '/' ? '/' : `${body}/?`}$`)
}

const PATTERNS: { path: string; pattern: RegExp; entry: Entry }[] = Object.entries(ACCESS)
  .sort(([a], [b]) => bySpecificity(a, b))
  .map(([path, entry]) => ({ path, pattern: toPattern(path), entry }))

/** Returns the entry of the most specific route that matches a path. */
export function findAccess(pathname: string): { path: string; entry: Entry } | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(pathname))
}

export const methodsOf = (entry: Entry): string =>
  Object.keys(entry)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ')
