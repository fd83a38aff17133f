/** Options that a route sets for the document (`export const handle`). */
export type RouteHandle = {
  /** False for pages that need no React in the browser. They ship none. */
  scripts?: false
}

export const readHandle = (handle: unknown): RouteHandle =>
  typeof handle === 'object' && handle !== null ? handle : {}

/** Returns the seconds after which a page with this loader data reloads itself without scripts. */
export function readRefreshSeconds(data: unknown): number | null {
  if (typeof data !== 'object' || data === null || !('refreshSeconds' in data)) return null
  return typeof data.refreshSeconds === 'number' ? data.refreshSeconds : null
}
