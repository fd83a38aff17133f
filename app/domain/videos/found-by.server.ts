import sql, { empty, join, type Sql } from 'sql-template-tag'
import { today } from '../days.server'
import { likePart } from './owners.server'
import { FAILURES_OF_OWNERS } from './failure-facts'
import type { CreatedFilter, Reason, Span } from './types'

/**
 * The text in lower case and without accents. Most prompts are ASCII, which is recognised far faster
 * than accents are removed.
 */
const plain = (text: Sql): Sql => sql`
  case when octet_length(${text}) = char_length(${text}) then lower(${text})
    else lower(regexp_replace(normalize(${text}, NFD), ${ACCENTS}, '', 'g')) end`

/** The marks of Latin, Greek, Cyrillic and Arabic letters in decomposed form. */
const ACCENTS = '[\u0300-\u036f\u064b-\u065f\u0670]'

/**
 * Builds the condition that a video's name and prompt contain each word of a text, in any order, whatever
 * their case and accents. Words may be parts of longer ones. A text without words is contained in each.
 */
export function hasWords(text: string): Sql {
  const words = [...new Set(text.split(/\s+/))].filter((word) => word !== '')
  if (words.length === 0) return sql`true`
  const patterns = words.map((word) => plain(sql`${likePart(word)}::text`))
  const isIn = (searched: Sql) => sql`${plain(searched)} like all (array[${join(patterns)}])`
  // `plain` reads its text several times: most videos have no name, and nothing to put together.
  return sql`
    (${isIn(sql`videos.prompt`)}
      or videos.clip_name is not null and ${isIn(sql`(videos.clip_name || ' ' || videos.prompt)`)})`
}

const START_OF = {
  today: (timeZone: string) => today(timeZone),
  yesterday: (timeZone: string) => sql`(${today(timeZone)} - 1)`,
  '7-days': (timeZone: string) => sql`(${today(timeZone)} - 6)`,
  week: (timeZone: string) => sql`date_trunc('week', ${today(timeZone)})::date`,
  month: (timeZone: string) => sql`date_trunc('month', ${today(timeZone)})::date`,
} as const satisfies Record<Span, (timeZone: string) => Sql>

/** Builds the first day of a span, in the platform's time zone. */
export const startOf = (span: Span, timeZone: string): Sql => START_OF[span](timeZone)

/**
 * Builds the condition, with a leading `and`, that a video was created on the given days of the
 * platform's time zone.
 */
export function createdOn({ days, first, last, since }: CreatedFilter, timeZone: string): Sql {
  const midnight = (day: Sql) => sql`(${day}::timestamp at time zone ${timeZone})`
  return sql`
    ${days === undefined ? empty : sql`and videos.created_at >= ${midnight(startOf(days, timeZone))}`}
    ${days === 'yesterday' ? sql`and videos.created_at < ${midnight(today(timeZone))}` : empty}
    ${first === undefined ? empty : sql`and videos.created_at >= ${midnight(sql`${first}::date`)}`}
    ${since === undefined ? empty : sql`and videos.created_at >= ${since}::timestamptz`}
    ${last === undefined ? empty : sql`and videos.created_at < ${midnight(sql`(${last}::date + 1)`)}`}`
}

/** Builds the condition, with a leading `and`, that a video failed for a reason. */
export function failedFor(reason: Reason | undefined): Sql {
  if (reason === undefined) return empty
  const isFor =
    reason === 'service'
      ? sql`videos.error_code <> all(${FAILURES_OF_OWNERS})`
      : sql`videos.error_code = ${reason}`
  return sql`and videos.status = 'error' and ${isFor}`
}
