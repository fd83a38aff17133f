import { z } from 'zod'
import { isId } from '~/lib/ids'
import { searchText } from '~/lib/fields'
import { readCursor } from './all-videos-cursor'
import { STATUS_FILTERS } from '../rules'
import { ASPECT_RATIOS } from '../types'

/** Cards of a page of everybody's videos (the specification's number). */
export const ALL_VIDEOS_PAGE_SIZE = 12

/** Part of an owner's name; names are stored in lower case. */
const ownerSearch = searchText(100).transform((search) => search.toLowerCase())

const cursor = z.string().optional().catch(undefined).transform(readCursor)

/**
 * The address of a page of everybody's videos. Nothing in it can fail: an address is typed by hand
 * or comes from an old bookmark, and what cannot be read counts as not given.
 */
export const allVideosQuery = z.object({
  page: z.coerce.number().int().min(1).max(10_000_000).catch(1),
  status: z.enum(STATUS_FILTERS).catch('all'),
  aspectRatio: z.enum(['all', ...ASPECT_RATIOS]).catch('all'),
  /** Part of a user's name. */
  search: ownerSearch.catch(''),
  /** One user's id. */
  user: z
    .string()
    .optional()
    .catch(undefined)
    .transform((id) => (id !== undefined && isId(id) ? id : null)),
  after: cursor,
  before: cursor,
})
export type AllVideosQuery = z.output<typeof allVideosQuery>

/** The videos that a bulk action of the platform's list names. */
export type AllVideosFilter = Pick<AllVideosQuery, 'status' | 'aspectRatio' | 'search' | 'user'>

/** Videos that a selection may name at once; far more than a page can hold. */
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

export const allVideosDeleteQuery = z.object({
  status: z.enum(STATUS_FILTERS, {
    errorMap: () => ({ message: 'status must be all, completed, pending or error' }),
  }),
})

/** Whose videos come back: those of users whose name holds the text, or everybody's. */
export const restoreAllInput = z.object({
  search: ownerSearch.default(''),
})
