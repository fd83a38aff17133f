import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import type { AdminCtx } from '../../context'
import { ofLivingOwner, ownerNamed } from '../owners.server'
import type { AllVideosQuery } from './all-videos-schemas'
import { summedColumns, toCounts, type CountRow } from '../gallery/counts.server'
import { COUNT_OF } from '../gallery/count-of.server'
import type { GalleryCounts } from '../types'

/**
 * The counters of everybody's videos, or of the users that the filters find. Summed from the counts
 * beside each gallery: as many rows as there are users, never videos.
 */
export async function getAllVideosCounts(
  { db }: AdminCtx,
  { search, user }: Pick<AllVideosQuery, 'search' | 'user'> = { search: '', user: null },
): Promise<GalleryCounts> {
  const isNarrowed = search !== '' || user !== null
  const chosen = user === null ? sql`true` : sql`users.id = ${user}`
  const row = await db.row<CountRow>(sql`
    select ${summedColumns} from galleries where ${
      isNarrowed
        ? sql`user_id in (select id from users where ${ownerNamed(search)} and ${chosen})`
        : ofLivingOwner(sql`user_id`)
    }`)
  if (!row) throw new Error('a sum gave no row')
  return toCounts(row)
}

/**
 * What everybody's list depends on: it is another text whenever a video of anybody has changed. A
 * gallery's version only rises, and the number of galleries changes when one comes or goes.
 */
export async function getAllVideosVersion(db: Executor): Promise<string> {
  const row = await db.row<{ version: string }>(sql`
    select coalesce(sum(version), 0) || '.' || count(*) as version from galleries
    where ${ofLivingOwner(sql`user_id`)}`)
  return row?.version ?? ''
}

/** A user with the number of their videos, for the user filter. */
export type Owner = { id: string; username: string; count: number }

/** Users that the filter offers at once; the search narrows them down. */
const MOST_OFFERED = 100

/**
 * The users that the filter offers: those whose name holds the search, most videos first where
 * they do not all fit, in the order of their names. The chosen one is always among them.
 */
export async function listOwners(
  { db }: AdminCtx,
  { search, user }: Pick<AllVideosQuery, 'search' | 'user'>,
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
