import { minutes } from '~/lib/time'

/** Servers that ask for more are asked again after this all the same. */
const LONGEST_MS = minutes(10)

/** The forms of a date in a header (RFC 9110), and ISO 8601. Others would be guesses. */
const DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/,
]

/**
 * Returns the pause that the provider requests, in milliseconds and at most ten minutes: from
 * `retry-after-ms`, or from `Retry-After` in seconds, with a fraction or as a date (relative to the
 * response's own `Date`, because our clock may be off). Only a pause that ends in the future is a
 * request. Zero, a past date, a negative number, a list and anything else mean that the provider
 * requests none: undefined.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  now: number,
): number | undefined {
  const given = headers['retry-after']?.trim() ?? ''
  const inMs = positive(headers['retry-after-ms'])
  const inSeconds = positive(given)
  const asked =
    inMs ?? (inSeconds === undefined ? untilDate(given, serverNow(headers, now)) : inSeconds * 1000)
  return pauseOf(asked)
}

/** Returns a requested pause as we keep it: undefined if there is none, at most ten minutes. */
export function pauseOf(ms: number | undefined): number | undefined {
  return ms === undefined || !(ms > 0) ? undefined : Math.min(ms, LONGEST_MS)
}

/** Returns the server's time from its `Date` header, else `now`, in milliseconds since 1970. */
export function serverNow(headers: Readonly<Record<string, string>>, now: number): number {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? now : date
}

function untilDate(text: string, now: number): number | undefined {
  if (!DATES.some((form) => form.test(text))) return undefined
  // The form of C's asctime names no zone, and means UTC.
  const until = Date.parse(/\d{4}$/.test(text) ? `${text} GMT` : text)
  return Number.isNaN(until) ? undefined : until - now
}

function positive(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,12}(\.\d{1,6})?$/.test(text.trim())) return undefined
  const value = Number(text)
  return value > 0 ? value : undefined
}

/**
 * Returns the `retryAfterMs` part of a fault, or an empty object if the provider requested no
 * pause.
 */
export function asked(ms: number | undefined): { retryAfterMs?: number } {
  return ms === undefined ? {} : { retryAfterMs: Math.ceil(ms) }
}
