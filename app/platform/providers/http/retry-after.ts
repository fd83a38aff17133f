import { days } from '~/lib/time'

const LONGEST_MS = days(1)

/**
 * How long the provider asks to be left alone, in milliseconds: `retry-after-ms`, or `Retry-After`
 * in seconds or as a date (read against the answer's own `Date`, because our clock may be off).
 * Undefined when it asks for nothing, at most one day.
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

/** The server's own time by its `Date` header, else ours; milliseconds since 1970. */
export function serverNow(headers: Readonly<Record<string, string>>, now: number): number {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? now : date
}

function positive(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,12}(\.\d{1,6})?$/.test(text.trim())) return undefined
  return Number(text)
}

/** The `retryAfterMs` part of a fault; nothing when the provider asked for nothing. */
export function asked(ms: number | undefined): { retryAfterMs?: number } {
  return ms === undefined ? {} : { retryAfterMs: Math.ceil(ms) }
}
