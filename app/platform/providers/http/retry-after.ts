import { days } from '~/lib/time'

const LONGEST_MS = days(1)

/**
 * Returns the pause that the provider requests, in milliseconds and at most one day: from
 * `retry-after-ms`, or from `Retry-After` in seconds or as a date (relative to the response's own
 * `Date`, because our clock may be off). Returns undefined if the provider requests none.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  now: number,
): number | undefined {
  const inMs = positive(headers['retry-after-ms'])
  if (inMs !== undefined) return Math.min(inMs, LONGEST_MS)
  const given = headers['retry-after']
  const inSeconds = positive(given)
  if (inSeconds !== undefined) return Math.min(inSeconds * 1000, LONGEST_MS)
  const until = Date.parse(given ?? '')
  if (Number.isNaN(until)) return undefined
  return Math.min(Math.max(0, until - serverNow(headers, now)), LONGEST_MS)
}

/** Returns the server's time from its `Date` header, else `now`, in milliseconds since 1970. */
export function serverNow(headers: Readonly<Record<string, string>>, now: number): number {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? now : date
}

function positive(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,12}(\.\d{1,6})?$/.test(text.trim())) return undefined
  return Number(text)
}

/**
 * Returns the `retryAfterMs` part of a fault, or an empty object if the provider requested no
 * pause.
 */
export function asked(ms: number | undefined): { retryAfterMs?: number } {
  return ms === undefined ? {} : { retryAfterMs: Math.ceil(ms) }
}
