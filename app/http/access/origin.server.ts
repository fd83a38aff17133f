import type { IncomingHttpHeaders } from 'node:http'

/**
 * Returns whether a write comes from the product's own site. Remix checks this for page routes
 * only, so this check runs in front of all routes.
 *
 * Current browsers send Sec-Fetch-Site. If it is missing, the host of Origin, or else of Referer,
 * must be the request's own host or the public host. If all three are missing, only JSON is
 * accepted: then the client is a program, because a form of another site cannot send JSON.
 */
export function isOwnSite(headers: IncomingHttpHeaders, publicHost: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const from = headers.origin ?? headers.referer
  if (from !== undefined) {
    const host = URL.canParse(from) ? new URL(from).host : undefined
    return host !== undefined && (host === headers.host || host === publicHost)
  }
  return /^application\/json\b/i.test(headers['content-type'] ?? '')
}
