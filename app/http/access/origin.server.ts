import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a write may come from where it says it comes from. Remix checks only page routes, so this
 * stands in front of everything.
 *
 * Browsers of today say it in Sec-Fetch-Site. Where that is missing, the Origin's host, else the
 * Referer's, must be the request's own or that of the public address. With none of the three only
 * JSON is accepted: a program, because a form of another site cannot send it.
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
