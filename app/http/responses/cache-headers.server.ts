import type { HeadersArgs } from '@remix-run/node'

/** What a page's loader or action says of keeping it, for a page that must not be kept. */
export function cacheHeaders({ loaderHeaders, actionHeaders }: HeadersArgs): HeadersInit {
  const said = actionHeaders.get('Cache-Control') ?? loaderHeaders.get('Cache-Control')
  return said === null ? {} : { 'Cache-Control': said }
}
