import { z } from 'zod'
import { isId } from '~/lib/ids'
import { plainWhole, searchText } from '~/lib/fields'
import { readCursor } from '../cursor'
import { moreFilters, ownerFilter, ratioFilter, reasonFilter, statusFilter } from '../schemas'

/** Cards per page of all users' videos, as the specification requires. */
export const ALL_VIDEOS_PAGE_SIZE = 12

/** Part of an owner's name. Names are stored in lower case. */
const ownerSearch = searchText(100).transform((search) => search.toLowerCase())

const cursor = z.string().optional().catch(undefined).transform(readCursor)

/**
 * Query of the page with all users' videos. Never fails: an address may be typed by hand or come
 * from an old bookmark, so values that cannot be parsed count as missing.
 */
export const allVideosQuery = z.object({
  page: plainWhole(1, 10_000_000).catch(1),
  status: statusFilter.catch('all'),
  aspectRatio: ratioFilter.catch('all'),
  /** Part of a user's name. */
  search: ownerSearch.catch(''),
  /** Part of a prompt. */
  words: searchText(100).catch('').default(''),
  /** Id of one user. */
  user: z
    .string()
    .nullish()
    .catch(undefined)
    .transform((id) => (typeof id === 'string' && isId(id) ? id : null)),
  days: moreFilters.days.catch(undefined),
  first: moreFilters.first.catch(undefined),
  last: moreFilters.last.catch(undefined),
  since: moreFilters.since.catch(undefined),
  reason: reasonFilter.catch(undefined),
  after: cursor,
  before: cursor,
})
export type AllVideosQuery = z.output<typeof allVideosQuery>

/** The filters that select videos of the list. */
export const allVideosFilter = allVideosQuery.pick({
  status: true,
  aspectRatio: true,
  search: true,
  words: true,
  user: true,
  days: true,
  first: true,
  last: true,
  since: true,
  reason: true,
})
export type AllVideosFilter = z.output<typeof allVideosFilter>

/**
 * The same for an action on all that match. A value that cannot be read is refused: it must not
 * mean all.
 */
export const strictVideosFilter = z.object({
  status: statusFilter,
  aspectRatio: ratioFilter.default('all'),
  search: ownerSearch.default(''),
  words: searchText(100).default(''),
  user: ownerFilter.default(''),
  days: moreFilters.days,
  first: moreFilters.first,
  last: moreFilters.last,
  since: moreFilters.since,
  reason: reasonFilter,
})

/** All videos: a filter that filters nothing. */
export const EVERY_VIDEO: AllVideosFilter = {
  status: 'all',
  aspectRatio: 'all',
  search: '',
  words: '',
  user: null,
}

/** Returns the filters that are set, by name: what the log says of them. */
export const filtersSet = (filter: AllVideosFilter): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]): [string, string][] =>
      value && value !== 'all' ? [[name, value]] : [],
    ),
  )

/** Returns whether a filter leaves anything out. */
export const isNarrowed = (filter: AllVideosFilter): boolean =>
  Object.keys(filtersSet(filter)).length > 0

/** Maximum number of videos in one selection. Far more than fit on a page. */
const MOST_SELECTED = 1000

export const videoIdsInput = z.object({
  videoIds: z
    .array(z.string({ invalid_type_error: 'The video ids must be texts' }), {
      required_error: 'No videos selected',
      invalid_type_error: 'videoIds must be a list',
    })
    .min(1, 'No videos selected')
    .max(MOST_SELECTED, `At most ${MOST_SELECTED} videos at once`),
})

export const allVideosDeleteQuery = z.object({ status: statusFilter })

/** Restores videos of users whose name contains the search text. Empty means all users. */
export const restoreAllInput = z.object({
  search: ownerSearch.default(''),
})
