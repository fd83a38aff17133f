import { z } from 'zod'
import { isId } from '~/lib/ids'
import { searchText } from '~/lib/fields'
import { readCursor } from './all-videos-cursor'
import { ratioFilter, statusFilter } from '../schemas'

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
  page: z.coerce.number().int().min(1).max(10_000_000).catch(1),
  status: statusFilter.catch('all'),
  aspectRatio: ratioFilter.catch('all'),
  /** Part of a user's name. */
  search: ownerSearch.catch(''),
  /** Id of one user. */
  user: z
    .string()
    .optional()
    .catch(undefined)
    .transform((id) => (id !== undefined && isId(id) ? id : null)),
  after: cursor,
  before: cursor,
})
export type AllVideosQuery = z.output<typeof allVideosQuery>

/** The filters that select videos of the list. */
export type AllVideosFilter = Pick<AllVideosQuery, 'status' | 'aspectRatio' | 'search' | 'user'>

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
