import sql, { empty, join, type Sql } from 'sql-template-tag'
import { nameForms } from '../names/name-forms.server'
import type { AdminCtx } from '../context'
import type { ActivityQuery } from './schemas'
import type { ActivityEntryView } from './types'

const ACTIVITY_PAGE = 50
const ENTRIES_OF_USER = 15

export type ActivityPage = { entries: ActivityEntryView[]; next: string | null }

type Row = Omit<ActivityEntryView, 'at'> & { at: Date }

/**
 * A query that continues after an entry, even if that entry no longer exists, or is about one user: what
 * they did, and what was done to them.
 */
export type ActivitySpan = ActivityQuery & { beyond?: { at: Date; id: string }; about?: string }

/** Reads the newest entries that match a query, at most `limit`. */
export const readActivity = (
  { db, settings }: AdminCtx,
  query: ActivitySpan,
  limit: number,
): Promise<Row[]> =>
  db.rows<Row>(sql`
    select id, at, actor_name as "actorName", action, subject_kind as "subjectKind",
      subject_id as "subjectId", subject_name as "subjectName", before, after, count
    from trail_entries ${whereOf(query, settings)}
    order by at desc, id desc limit ${limit}`)

/** Lists the newest entries about a user. */
export const listActivityOf = async (ctx: AdminCtx, userId: string): Promise<ActivityEntryView[]> =>
  (await readActivity(ctx, { actor: '', subject: '', about: userId }, ENTRIES_OF_USER)).map(toEntry)

/** Lists one page of the activity log, newest first. `next` is the cursor for the following page. */
export async function listActivity(ctx: AdminCtx, query: ActivityQuery): Promise<ActivityPage> {
  const rows = await readActivity(ctx, query, ACTIVITY_PAGE + 1)
  const entries = rows.slice(0, ACTIVITY_PAGE).map(toEntry)
  return { entries, next: rows.length > ACTIVITY_PAGE ? (entries.at(-1)?.id ?? null) : null }
}

const toEntry = ({ at, ...row }: Row): ActivityEntryView => ({ ...row, at: at.toISOString() })

function whereOf(query: ActivitySpan, { timeZone, phoneCountries }: AdminCtx['settings']): Sql {
  // A number is found in all its spellings.
  const forms = (typed: string) => [...nameForms(typed, phoneCountries).forms]
  const { actor, subject, action, from, to, after, beyond, about } = query
  const conditions = [
    actor === '' ? empty : sql`actor_name = any(${forms(actor)}::text[])`,
    subject === '' ? empty : sql`lower(subject_name) ^@ any(${forms(subject)}::text[])`,
    about === undefined ? empty : sql`(subject_id = ${about} or actor_id = ${about})`,
    action === undefined ? empty : sql`action = ${action}`,
    from === undefined ? empty : sql`at >= ${from}::date::timestamp at time zone ${timeZone}`,
    to === undefined ? empty : sql`at < (${to}::date + 1)::timestamp at time zone ${timeZone}`,
    after === undefined
      ? empty
      : sql`(at, id) < (select at, id from trail_entries where id = ${after})`,
    beyond === undefined ? empty : sql`(at, id) < (${beyond.at}, ${beyond.id}::uuid)`,
  ].filter((condition) => condition !== empty)
  return conditions.length === 0 ? empty : sql`where ${join(conditions, ' and ')}`
}
