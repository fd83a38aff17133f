/** Durations, in milliseconds. */
export const seconds = (n: number) => n * 1000
export const minutes = (n: number) => seconds(60 * n)
export const hours = (n: number) => minutes(60 * n)
export const days = (n: number) => hours(24 * n)

/** Returns the calendar day of an instant in a time zone, as YYYY-MM-DD. */
export function dayIn(timeZone: string, instant: Date): string {
  // The Swedish locale writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant)
}

/**
 * Returns how instants are written in a time zone as ISO 8601 with their offset: 2026-11-21T04:30:00+05:00.
 */
export function isoIn(timeZone: string): (instant: Date) => string {
  const twoDigits = {
    month: '2-digit',
    day: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    ...twoDigits,
    hour: '2-digit',
    timeZoneName: 'longOffset',
  })
  return (instant) => {
    const [day, time, offset = ''] = format.format(instant).split(' ')
    return `${day}T${time}${offset.slice('GMT'.length).replace('\u2212', '-') || '+00:00'}`
  }
}

/** Making a format is slow, and a list has fifty times in one time zone. */
const timeFormats = new Map<string, Intl.DateTimeFormat>()

function timeFormat(timeZone: string): Intl.DateTimeFormat {
  const options = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const format = timeFormats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', options)
  timeFormats.set(timeZone, format)
  return format
}

/** Formats an instant in a time zone as hours and minutes: 23:59. */
export const timeOfDay = (instant: string, timeZone: string): string =>
  timeFormat(timeZone).format(new Date(instant))

/** Formats a future instant as a time of day, with the day unless it is today: 00:30 on 22 Nov. */
export function timeAhead(instant: string, timeZone: string, now: Date): string {
  const at = new Date(instant)
  const time = timeOfDay(instant, timeZone)
  if (dayIn(timeZone, at) === dayIn(timeZone, now)) return time
  const format = { timeZone, day: 'numeric', month: 'short' } as const
  return `${time} on ${new Intl.DateTimeFormat('en-GB', format).format(at)}`
}

/** Making a format is slow, and a page of a gallery has fifty times in one time zone. */
const formats = new Map<string, Intl.DateTimeFormat>()

function dayAndTimeFormat(timeZone: string): Intl.DateTimeFormat {
  const options = { timeZone, dateStyle: 'medium', timeStyle: 'short' } as const
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', options)
  formats.set(timeZone, format)
  return format
}

/** Formats an instant in a time zone: 21 Nov 2026, 04:30. Identical on server and client. */
export const dayAndTime = (instant: string, timeZone: string): string =>
  dayAndTimeFormat(timeZone).format(new Date(instant))

const shortFormats = new Map<string, Intl.DateTimeFormat>()

/**
 * Formats an instant in a time zone for narrow places: 21 Nov, 04:30, or 21 Nov 2025 in another year
 * than `now`.
 */
export function shortDayAndTime(instant: string, timeZone: string, now: Date): string {
  if (instant.slice(0, 4) !== now.toISOString().slice(0, 4)) return shortDay(instant, timeZone)
  const format =
    shortFormats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    })
  shortFormats.set(timeZone, format)
  return format.format(new Date(instant))
}

/** Formats the day of an instant in a time zone: 21 Nov 2026. */
export const shortDay = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium' }).format(new Date(instant))

/** Formats an instant with the name of the time zone: 21 Nov 2026, 04:30 UTC. */
export const dayTimeAndZone = (instant: string, timeZone: string): string =>
  `${dayAndTime(instant, timeZone)} ${timeZone}`

const LONG_DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'long' })

/** Formats a calendar day in words: 21 November 2026. */
export const dayInWords = (day: string): string => LONG_DAY.format(new Date(`${day}T00:00:00Z`))

/** Formats a month, given as YYYY-MM, in words: November 2026. */
export const monthInWords = (month: string): string =>
  dayInWords(`${month}-01`).replace(/^\d+ /, '')

/** Formats a calendar day without its year, for narrow places: 21 Nov. */
export const dayAndMonth = (day: string): string =>
  dayInWords(day).replace(/^(\d+ \p{L}{3}).*$/u, '$1')
