import sql, { empty, type Sql } from 'sql-template-tag'
import { isInCollection } from '../collection-members.server'
import { createdOn, failedFor, hasWords, startOf } from '../found-by.server'
import { ownerNamed, ownerNotInTrash, type Spelling } from '../owners.server'
import { HAS_CARD_AMONG_ALL, STATUS_FILTER } from '../states.server'
import { countFor, isSought } from '../rules'
import { getAllVideosCounts, type Reading } from './all-videos-counts.server'
import type { FilterValues } from '../types'
import type { AllVideosFilter } from './all-videos-schemas'

/**
 * Builds the filters of all users' videos as a condition on `videos`, without those in the trash.
 * The list, and every action on all that match, use this condition.
 */
export function allVideosWhere(filter: SoughtVideos, settings: Reading['settings']): Sql {
  const { inOrder, collection, starred } = filter
  return sql`videos.deleted_at is null and ${ownerNotInTrash(sql`videos.user_id`)}
    ${stateAndRatio(filter)} ${ofOwners(filter, settings)} ${createdOn(filter, settings.timeZone)}
    ${inOrder === undefined ? empty : sql`and videos.batch_id = ${inOrder}`}
    ${collection === undefined ? empty : sql`and ${isInCollection(sql`${collection}::uuid`)}`}
    ${starred === undefined ? empty : sql`and videos.starred`}`
}

/** The filters of the page, and those that only the list call has. `asCards` leaves out the videos without a card. */
export type SoughtVideos = AllVideosFilter &
  Pick<FilterValues, 'inOrder' | 'collection' | 'starred'> & { asCards?: boolean }

/** The filters by state, reason, aspect ratio and words of the prompt, each with a leading `and`. */
export const stateAndRatio = ({
  status,
  aspectRatio,
  words,
  reason,
  asCards = false,
}: SoughtVideos): Sql => sql`
  ${STATUS_FILTER[status]} ${asCards ? HAS_CARD_AMONG_ALL[status] : empty} ${failedFor(reason)}
  ${aspectRatio === 'all' ? empty : sql`and videos.aspect_ratio = ${aspectRatio}::aspect_ratio`}
  ${words === '' ? empty : sql`and ${hasWords(words)}`}`

/** The filters by owner. */
export const ofOwners = (
  { search, user }: Pick<AllVideosFilter, 'search' | 'user'>,
  spelling: Spelling,
): Sql => sql`
  ${user === null ? empty : sql`and videos.user_id = ${user}`}
  ${
    search === ''
      ? empty
      : sql`and exists (select 1 from users where users.id = videos.user_id and ${ownerNamed(search, spelling)})`
  }`

/** Returns the filter with dates in place of a span, for work that goes on after midnight. */
export async function withFixedDays(
  { db, settings }: Reading,
  filter: AllVideosFilter,
): Promise<AllVideosFilter> {
  const { days, first = '', ...rest } = filter
  if (days === undefined) return filter
  const { start } = await db.one<{ start: string }>(sql`
    select ${startOf(days, settings.timeZone)}::text as start`)
  const { last = start } = rest
  const until = days === 'yesterday' ? { last: last < start ? last : start } : {}
  return { ...rest, ...until, first: start > first ? start : first }
}

/**
 * Counts the videos that match. Sums the stored counters of the galleries, unless a filter requires
 * reading the videos.
 */
export async function countMatching(reading: Reading, filter: SoughtVideos): Promise<number> {
  if (!isSought({ ...filter, search: '' }))
    return countFor(await getAllVideosCounts(reading, filter), filter)
  const { count } = await reading.db.one<{ count: number }>(sql`
    select count(*)::int as count from videos where ${allVideosWhere(filter, reading.settings)}`)
  return count
}

/** Counts the starred videos that match: those that deleting them would leave. */
export const countStarred = (reading: Reading, filter: AllVideosFilter): Promise<number> =>
  countMatching(reading, { ...filter, starred: 'yes' })

/**
 * Counts the completed and failed videos that match. `matching` is the count of all that match, if it
 * is known.
 */
export async function countEnded(
  reading: Reading,
  filter: AllVideosFilter,
  matching?: number,
): Promise<number> {
  if (filter.status === 'pending') return 0
  const count = matching ?? (await countMatching(reading, filter))
  if (filter.status !== 'all') return count
  return count - (await countMatching(reading, { ...filter, status: 'pending' }))
}
