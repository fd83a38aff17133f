import { z } from 'zod'
import { isId } from '~/lib/ids'
import { AppError } from '../../errors'
import type { FilterValues } from '../types'
import {
  moreFilters,
  ownerFilter,
  ratioFilter,
  reasonFilter,
  searchFilter,
  statusFilter,
} from '../schemas'

/** Ids, repeated or separated by commas. Invalid ones are ignored. */
const ids = z
  .array(z.string())
  .transform((values) => values.flatMap((value) => value.split(',')))
  .transform((ids) => (ids.length === 0 ? null : ids.filter(isId)))

/**
 * The videos for a download, an export or an action on many: the selected ones, all of the user's (or
 * all users', if an administrator requests that), or those matching the filters. Without `choice`, ids
 * take precedence over filters. A selection with `all` is of all that matched the filters at that
 * moment, without those in `except`.
 */
export const videoChoice = z
  .object({
    choice: z.enum(['selected', 'all', 'filtered']).optional().catch(undefined),
    ids,
    all: z.string().datetime('all must be a time').optional(),
    except: ids,
    status: statusFilter,
    aspectRatio: ratioFilter,
    search: searchFilter,
    scope: z.enum(['mine', 'all']),
    words: searchFilter,
    user: ownerFilter,
    reason: reasonFilter,
    ...moreFilters,
  })
  .transform(({ choice, ids, all, except, ...rest }): VideoChoice => {
    if (choice === 'selected' && all !== undefined) {
      return { kind: 'filtered', ...rest, until: all, except: except ?? [] }
    }
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
  | ({ kind: 'filtered'; until?: string; except?: string[] } & Filters)

/** The names of the fields of a choice, one of which a posted choice has. */
export const CHOOSING: readonly string[] = Object.keys(videoChoice.innerType().shape)

/** Parses a choice from the query of an address. */
export function readChoice(search: URLSearchParams): z.SafeParseReturnType<unknown, VideoChoice> {
  return videoChoice.safeParse({
    choice: search.get('choice') ?? undefined,
    ids: search.getAll('ids'),
    all: search.get('all') ?? undefined,
    except: search.getAll('except'),
    status: search.get('status') ?? 'all',
    aspectRatio: search.get('aspectRatio') ?? 'all',
    search: search.get('search') ?? '',
    scope: search.get('scope') ?? 'mine',
    words: search.get('words') ?? '',
    user: search.get('user') ?? '',
    reason: search.get('reason') ?? undefined,
    ...Object.fromEntries(
      Object.keys(moreFilters).map((name) => [name, search.get(name) ?? undefined]),
    ),
  })
}

/** Parses the selection of a gallery's form. Throws BAD_INPUT if nothing is selected. */
export function readSelected(form: URLSearchParams): VideoChoice {
  const fields = new URLSearchParams(form)
  fields.set('choice', 'selected')
  const parsed = readChoice(fields)
  if (!parsed.success) {
    throw new AppError('BAD_INPUT', parsed.error.issues[0]?.message ?? 'Bad selection')
  }
  if (parsed.data.kind === 'selected' && parsed.data.ids.length === 0) {
    throw new AppError('BAD_INPUT', 'No videos selected')
  }
  return parsed.data
}
