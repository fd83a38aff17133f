import { plainDigits, readWholeNumber } from '~/lib/digits'
import { dayInWords } from '~/lib/time'
import { NEVER } from '../users/export-format'

/** When an imported account ends: after some days (null for never), on a day (YYYY-MM-DD), or unreadable. */
export type Ending = { days: number | null } | { day: string } | { problem: string }

/**
 * Reads the value of the column of days: a number, `never`, or a date that can mean only one day. A
 * date with a doubt, a spreadsheet's number for a date and a number of weeks, months or years are
 * refused, because their first digits would otherwise be days. Any other text gets `fallback` (specification §5).
 */
export function readEnding(value: unknown, fallback: number | null): Ending {
  const text =
    typeof value === 'string'
      ? plainDigits(value).trim()
      : typeof value === 'number'
        ? String(value)
        : ''
  if (text.toLowerCase() === NEVER) return { days: null }
  const inDays = /^(\d{1,6})\s*d(?:ays?)?$/i.exec(text)?.[1]
  if (inDays !== undefined) return { days: Number(inDays) }
  if (OTHER_UNIT.test(text))
    return {
      problem: `${text} is not in days. Write the number of days, or the day on which it ends`,
    }
  const serial = /^\d{5}$/.test(text) ? Number(text) : 0
  if (serial > MOST_DAYS) return { problem: serialProblem(serial) }
  return readDate(text) ?? { days: readWholeNumber(value) ?? fallback }
}

/** 3 months: the number before it would be days. */
const OTHER_UNIT = /^\d+(?:[.,]\d+)?\s*(?:weeks?|wks?|months?|mo|mths?|years?|yrs?)\.?$/i

/** The most days of an account, 100 years. */
export const MOST_DAYS = 36_500

/** Returns whether a text is meant as a date, even if it cannot be read as one. */
export const isDateLike = (text: string): boolean => readDate(plainDigits(text).trim()) !== null

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T\s].*)?$/i
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[,\s].*)?$/
const SHORT_YEAR = /^\d{1,2}([-/. ])(?:\d{1,2}|[a-z]{3})\1\d{2}$/i
const DAY_MONTH = /^(\d{1,2})[\s-]+([a-z]{3,9})\.?[\s,-]+(\d{4})$/i
const MONTH_DAY = /^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/i

function readDate(text: string): Ending | null {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? []
  if (year && month && day) return dayOf(text, { year, month, day })
  const [, first, sign, second, yearLast] = YEAR_LAST.exec(text) ?? []
  if (first && second && yearLast) {
    const monthFirst = { year: yearLast, month: first, day: second }
    const dayFirst = { year: yearLast, month: second, day: first }
    // Dots are only written between day and month in this order.
    if (sign === '.' || Number(first) > 12 || first === second) return dayOf(text, dayFirst)
    return Number(second) > 12 ? dayOf(text, monthFirst) : doubt(text, [dayFirst, monthFirst])
  }
  if (SHORT_YEAR.test(text))
    return { problem: `${text} has a year of two digits. Write 2026-12-31, or the number of days` }
  const [, d1, m1, y1] = DAY_MONTH.exec(text) ?? []
  const [, m2, d2, y2] = MONTH_DAY.exec(text) ?? []
  const [named, d = '', y = ''] = m1 ? [m1, d1, y1] : [m2, d2, y2]
  const index = MONTHS.indexOf(named?.slice(0, 3).toLowerCase() ?? '')
  return index < 0 ? null : dayOf(text, { year: y, month: String(index + 1), day: d })
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

type Parts = { year: string; month: string; day: string }

const isoOf = ({ year, month, day }: Parts) =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

function dayOf(text: string, parts: Parts): Ending {
  const day = isoOf(parts)
  const at = new Date(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
  return isDay ? { day } : { problem: `${text} is not a day` }
}

function doubt(text: string, meanings: readonly Parts[]): Ending {
  const [one = '', other = ''] = meanings.map((parts) => dayInWords(isoOf(parts)))
  const [first] = meanings
  return {
    problem: `${text} can be ${one} or ${other}. Write ${first ? isoOf(first) : ''}, or the number of days`,
  }
}

/** Spreadsheets count days from 30 December 1899. */
function serialProblem(serial: number): string {
  const day = new Date(Date.UTC(1899, 11, 30 + serial)).toISOString().slice(0, 10)
  return `${serial} is too many, and looks like a spreadsheet's number for ${dayInWords(day)}. Write ${day}, or the number of days`
}
