import { createRequestHandler } from '@remix-run/express'
import type { ServerBuild } from '@remix-run/node'
import type { RequestHandler } from 'express'
import { pathOf, type RemixRoute } from '../access/route-coverage.server'
import { findAccess, NO_ROUTE, type RoutePath } from '../access/access'

/** The route that answers all JSON calls (app/http/endpoints/calls). */
const CALLS: RoutePath = '/api/*'

/**
 * Handles requests with Remix. Each path has a handler of its own that knows only the routes of that
 * path: Remix sorts and compiles all its routes again each time it matches an address, at least
 * twice per request, which took 0.8 ms with eighty routes. The access table has found the path
 * before, so Remix cannot take another route than the one that the request was authorised for.
 */
export function remixHandler(build: ServerBuild): RequestHandler {
  const handlers = new Map<string, RequestHandler>()
  for (const route of Object.values(build.routes)) {
    const path = pathOf(build, route)
    if (path === undefined || handlers.has(path)) continue
    handlers.set(path, handlerOf(only(build, path)))
  }
  return (req, res, next) => {
    const path = findAccess(req.path)?.path ?? NO_ROUTE
    const handle = handlers.get(path.startsWith('/api/') ? CALLS : path)
    if (handle) handle(req, res, next)
    else next()
  }
}

const handlerOf = (build: ServerBuild): RequestHandler =>
  createRequestHandler({ build, getLoadContext: (_req, res) => ({ ...res.locals.context }) })

/**
 * Returns the build with the routes of one path and the layouts around them. The browser's own list
 * of routes is in a file of its own and stays complete.
 */
function only(build: ServerBuild, path: string): ServerBuild {
  const ids = new Set<string>()
  const add = (route: RemixRoute | undefined): void => {
    if (!route) return
    ids.add(route.id)
    if (route.parentId !== undefined) add(build.routes[route.parentId])
  }
  for (const route of Object.values(build.routes)) if (pathOf(build, route) === path) add(route)
  const chosen = <Route>(routes: Record<string, Route>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => ids.has(id)))
  return {
    ...build,
    routes: chosen(build.routes),
    assets: { ...build.assets, routes: chosen(build.assets.routes) },
  }
}
