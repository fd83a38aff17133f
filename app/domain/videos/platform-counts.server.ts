import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import type { AdminCtx } from '../context'
import { ownerNamed } from './owners.server'
import type { PlatformQuery } from './platform-schemas'
import { COUNT_OF } from './count-of.server'

/** The six figures above everybody's videos. `generating` is everything in progress. */
export type PlatformCounts = {
  total: number
  completed: number
  generating: number
  failed: number
  portrait: number
  landscape: number
}

/** Summed from the counts beside each gallery: as many rows as there are users, never videos. */
export async function getPlatformCounts({ db }: AdminCtx): Promise<PlatformCounts> {
  const sum = (column: (typeof COUNT_OF)['all']['all']) => sql`coalesce(sum(${column}), 0)::int`
  const row = await db.row<PlatformCounts>(sql`
    select ${sum(COUNT_OF.all.all)} as total, ${sum(COUNT_OF.completed.all)} as completed,
      ${sum(COUNT_OF.pending.all)} as generating, ${sum(COUNT_OF.error.all)} as failed,
      ${sum(COUNT_OF.all.portrait)} as portrait, ${sum(COUNT_OF.all.landscape)} as landscape
    from galleries`)
  if (!row) throw new Error('the galleries gave no counts')
  return row
}

/**
 * What everybody's list depends on: it is another text whenever a video of anybody has changed. A
 * gallery's version only rises, and the number of galleries changes when one comes or goes.
 */
export async function getPlatformVersion(db: Executor): Promise<string> {
  const row = await db.row<{ version: string }>(sql`
    select coalesce(sum(version), 0) || '.' || count(*) as version from galleries`)
  return row?.version ?? ''
}

/** A user with the number of his videos, for the user filter. */
export type Owner = { id: string; username: string; count: number }

/** Users that the filter offers at once; the search narrows them down. */
const MOST_OFFERED = 100

/**
 * The users that the filter offers: those whose name holds the search, most videos first where
 * they do not all fit, in the order of their names. The chosen one is always among them.
 */
export async function listOwners(
  { db }: AdminCtx,
  { search, user }: Pick<PlatformQuery, 'search' | 'user'>,
): Promise<{ owners: Owner[]; hasMore: boolean }> {
  const rows = await db.rows<Owner>(sql`
    select users.id, users.username, ${COUNT_OF.all.all} as count
    from users join galleries on galleries.user_id = users.id
    where ${ownerNamed(search)} or users.id = ${user}
    order by users.id = ${user} desc nulls last, count desc, users.username limit ${MOST_OFFERED + 1}`)
  const owners = rows.slice(0, MOST_OFFERED)
  owners.sort((a, b) => (a.username < b.username ? -1 : 1))
  return { owners, hasMore: rows.length > MOST_OFFERED }
}
