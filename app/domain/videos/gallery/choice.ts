import { z } from 'zod'
import { isId } from '~/lib/ids'
import type { FilterValues } from '../types'
import { moreFilters, ownerFilter, ratioFilter, searchFilter, statusFilter } from '../schemas'

/**
 * The videos for a download or export: the selected ones, all of the user's (or all users', if an
 * administrator requests that), or those matching the filters. Without `choice`, ids take
 * precedence over filters.
 */
export const videoChoice = z
  .object({
    choice: z.enum(['selected', 'all', 'filtered']).optional().catch(undefined),
    /** Repeated or comma-separated. Invalid ids are ignored. */
    ids: z
      .array(z.string())
      .transform((values) => values.flatMap((value) => value.split(',')))
      .transform((ids) => (ids.length === 0 ? null : ids.filter(isId))),
    status: statusFilter,
    aspectRatio: ratioFilter,
    search: searchFilter,
    scope: z.enum(['mine', 'all']),
    words: searchFilter,
    user: ownerFilter,
    ...moreFilters,
  })
  .transform(({ choice, ids, ...rest }): VideoChoice => {
    if (choice === 'selected' || (choice === undefined && ids !== null)) {
      return { kind: 'selected', ids: ids ?? [] }
    }
    const { scope } = rest
    return choice === 'all' ? { kind: 'all', scope } : { kind: 'filtered', ...rest }
  })

type Filters = Omit<FilterValues, 'words' | 'user'> & {
  words: string
  scope: 'mine' | 'all'
  user: string | null
}

export type VideoChoice =
  | { kind: 'selected'; ids: string[] }
  | { kind: 'all'; scope: 'mine' | 'all' }
  | ({ kind: 'filtered' } & Filters)

/** Parses a choice from the query of an address. */
export function readChoice(search: URLSearchParams): z.SafeParseReturnType<unknown, VideoChoice> {
  return videoChoice.safeParse({
    choice: search.get('choice') ?? undefined,
    ids: search.getAll('ids'),
    status: search.get('status') ?? 'all',
    aspectRatio: search.get('aspectRatio') ?? 'all',
    search: search.get('search') ?? '',
    scope: search.get('scope') ?? 'mine',
    words: search.get('words') ?? '',
    user: search.get('user') ?? '',
    days: search.get('days') ?? undefined,
    first: search.get('first') ?? undefined,
    last: search.get('last') ?? undefined,
    inOrder: search.get('inOrder') ?? undefined,
  })
}
