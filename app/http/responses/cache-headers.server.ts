import type { HeadersArgs } from '@remix-run/node'

/**
 * Passes on the Cache-Control that the action or loader set, for a page that must not be cached.
 */
export function cacheHeaders({ loaderHeaders, actionHeaders }: HeadersArgs): HeadersInit {
  const said = actionHeaders.get('Cache-Control') ?? loaderHeaders.get('Cache-Control')
  return said === null ? {} : { 'Cache-Control': said }
}
