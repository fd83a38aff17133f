import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import type { AdminCtx, Settings } from '../../context'
import { ownerNotInTrash, ownerNamed, type Spelling } from '../owners.server'
import type { AllVideosQuery } from './all-videos-schemas'
import { inProgress, summedColumns, toCounts, type CountRow } from '../gallery/counts.server'
import type { GalleryCounts } from '../types'

/** What a count needs: a connection, and how numbers are spelled. */
export type Reading = { db: Executor; settings: Spelling & Pick<Settings, 'timeZone'> }

type Owners = Pick<AllVideosQuery, 'search' | 'user'>
const EVERYBODY: Owners = { search: '', user: null }

/** Builds the filters by owner as a condition on `user_id`. */
export function isOwnedBy({ search, user }: Owners, settings: Spelling): Sql {
  if (search === '' && user === null) return ownerNotInTrash(sql`user_id`)
  const chosen = user === null ? sql`true` : sql`users.id = ${user}`
  return sql`user_id in (select id from users where ${ownerNamed(search, settings)} and ${chosen})`
}

/**
 * Returns the counters of all videos, or of the users that match the filters. Sums the stored
 * counters of the galleries, so it reads one row per user and no videos.
 */
export async function getAllVideosCounts(
  { db, settings }: Reading,
  owners = EVERYBODY,
): Promise<GalleryCounts> {
  const row = await db.one<CountRow>(sql`
    select ${summedColumns} from galleries where ${isOwnedBy(owners, settings)}`)
  return toCounts(row)
}

/**
 * Returns a version of the list of all videos. It changes whenever any user's video changes: a
 * gallery's version only increases, and the number of galleries changes when one is added or
 * removed.
 */
export async function getAllVideosVersion(db: Executor): Promise<string> {
  const { version } = await db.one<{ version: string }>(sql`
    select coalesce(sum(version), 0) || '.' || count(*) as version from galleries
    where ${ownerNotInTrash(sql`user_id`)}`)
  return version
}

/** A user with the number of their videos, for the user filter. */
export type Owner = { id: string; username: string; count: number }

const VIDEOS = sql`${inProgress} + completed_portrait + completed_landscape + error_portrait
  + error_landscape`

/** Maximum number of users offered by the filter. The search narrows them down. */
const MOST_OFFERED = 100

/**
 * Lists the users with videos for the filter: those whose name contains the search text, sorted by name. If
 * there are too many, those with the most videos are kept. The selected user is always included.
 */
export async function listOwners(
  { db, settings }: AdminCtx,
  { search, user }: Pick<AllVideosQuery, 'search' | 'user'>,
): Promise<{ owners: Owner[]; hasMore: boolean }> {
  const rows = await db.rows<Owner>(sql`
    select users.id, users.username, ${VIDEOS} as count
    from users join galleries on galleries.user_id = users.id
    where (${ownerNamed(search, settings)} and ${VIDEOS} > 0) or users.id = ${user}
    order by users.id = ${user} desc nulls last, count desc, users.username limit ${MOST_OFFERED + 1}`)
  const owners = rows.slice(0, MOST_OFFERED)
  owners.sort((a, b) => (a.username < b.username ? -1 : 1))
  return { owners, hasMore: rows.length > MOST_OFFERED }
}
