import type { ServerBuild } from '@remix-run/node'
import { ACCESS } from './access'

/**
 * Returns the URL path of each Remix route, joined from its own path and its parents' paths. Layout
 * routes have none.
 */
function remixPaths({ routes }: ServerBuild): string[] {
  const all = Object.values(routes)
  const fullPath = (id: string | undefined): string => {
    const route = all.find((candidate) => candidate.id === id)
    return route ? [fullPath(route.parentId), route.path].filter(Boolean).join('/') : ''
  }
  return all
    .filter(({ index, path, id }) => index === true || (path !== undefined && id !== 'root'))
    .map(({ id }) => `/${fullPath(id).replace(/\/$/, '')}`)
}

/**
 * Denies by default: throws if a route has no entry in the access table, or an entry has no route.
 */
export function checkRoutes(build: ServerBuild, ownPaths: readonly string[]): void {
  const existing = new Set([...remixPaths(build), ...ownPaths])
  const listed = new Set(Object.keys(ACCESS))
  const missing = [...existing].filter((path) => !listed.has(path))
  const stale = [...listed].filter((path) => !existing.has(path))
  if (missing.length === 0 && stale.length === 0) return
  throw new Error(
    `The access table (app/http/access/access.ts) does not match the routes; missing: ${missing.join(', ') || 'none'}; without a route: ${stale.join(', ') || 'none'}`,
  )
}
