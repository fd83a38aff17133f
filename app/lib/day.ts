/**
 * Returns the text if it is an existing calendar day as YYYY-MM-DD, else null. PostgreSQL has no year
 * 0.
 */
export function readDay(text: string | null): string | null {
  if (text === null || !/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return null
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : null
}

/** Returns the calendar day `count` days after `day`. */
export function dayAfter(day: string, count = 1): string {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + count)
  return next.toISOString().slice(0, 10)
}
