import type { ServerBuild } from '@remix-run/node'
import { ACCESS } from './access'

export type RemixRoute = ServerBuild['routes'][string]

/**
 * Returns the path of a Remix route in the access table's notation, joined from its own path and its
 * parents' paths. Returns undefined for layouts, which have no path of their own.
 */
export function pathOf({ routes }: ServerBuild, route: RemixRoute): string | undefined {
  if (route.id === 'root' || (route.index !== true && route.path === undefined)) return undefined
  const parts: string[] = []
  for (let at: RemixRoute | undefined = route; at; at = routes[at.parentId ?? '']) {
    if (at.path !== undefined && at.path !== '') parts.unshift(at.path)
  }
  return `/${parts.join('/').replace(/\/$/, '')}`
}

/**
 * Denies by default: throws if a route has no entry in the access table, or an entry has no route.
 */
export function checkRoutes(build: ServerBuild, ownPaths: readonly string[]): void {
  const existing = new Set([
    ...Object.values(build.routes).flatMap((route) => pathOf(build, route) ?? []),
    ...ownPaths,
  ])
  const listed = new Set(Object.keys(ACCESS))
  const missing = [...existing].filter((path) => !listed.has(path))
  const stale = [...listed].filter((path) => !existing.has(path))
  if (missing.length === 0 && stale.length === 0) return
  throw new Error(
    `The access table (app/http/access/access.ts) does not match the routes; missing: ${missing.join(', ') || 'none'}; without a route: ${stale.join(', ') || 'none'}`,
  )
}
