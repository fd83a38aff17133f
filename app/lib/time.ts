/** Durations, in milliseconds. */
export const seconds = (n: number) => n * 1000
export const minutes = (n: number) => seconds(60 * n)
export const hours = (n: number) => minutes(60 * n)
export const days = (n: number) => hours(24 * n)

/** The calendar day of an instant in a time zone, as YYYY-MM-DD. */
export function dayIn(timeZone: string, instant: Date): string {
  // The Swedish locale writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant)
}

/** Hours and minutes of an instant in a time zone, as 23:59. */
export function timeOfDay(instant: string, timeZone: string): string {
  const format = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('en-GB', format).format(new Date(instant))
}

/** The time of day of an instant that lies ahead; with its day, as 00:30 on 22 Nov, unless it is today. */
export function timeAhead(instant: string, timeZone: string, now: Date): string {
  const at = new Date(instant)
  const time = timeOfDay(instant, timeZone)
  if (dayIn(timeZone, at) === dayIn(timeZone, now)) return time
  const format = { timeZone, day: 'numeric', month: 'short' } as const
  return `${time} on ${new Intl.DateTimeFormat('en-GB', format).format(at)}`
}

/** Day and time of an instant in a time zone, as 21 Nov 2026, 04:30. The same on server and client. */
export function dayAndTime(instant: string, timeZone = 'UTC'): string {
  const format = { timeZone, dateStyle: 'medium', timeStyle: 'short' } as const
  return new Intl.DateTimeFormat('en-GB', format).format(new Date(instant))
}

/** The same with the zone's name: 21 Nov 2026, 04:30 UTC. */
export const dayTimeAndZone = (instant: string, timeZone: string): string =>
  `${dayAndTime(instant, timeZone)} ${timeZone}`
