import { readDay } from '~/lib/day'
import type { UserCtx } from '../../context'
import { isSought } from '../rules'
import { moreFilters } from '../schemas'
import type { Span } from '../types'
import { readChoice, type VideoChoice } from './choice'
import { measureChosen, type Size } from './chosen.server'

/** Videos that can be downloaded at once. `query` names them in the calls. */
export type DownloadOption = Size & {
  kind: 'all' | 'filtered' | 'today' | 'yesterday' | '7-days' | 'range'
  query: string
  first?: string | undefined
  last?: string | undefined
}

export type DownloadChoices = {
  options: DownloadOption[]
  /** The parameters of the page, which a form for other days sends again. */
  fields: Record<string, string>
  range: { first: string; last: string }
}

const SPANS_OFFERED = ['today', 'yesterday', '7-days'] as const satisfies readonly Span[]

/** The parameters of a gallery's address that select its videos. */
const FILTERS = ['status', 'aspectRatio', 'search', 'words', 'user', ...Object.keys(moreFilters)]

/**
 * Lists what a page of a gallery can download at once, with numbers and sizes: everything, what its
 * filters select, what was made today, yesterday and in the last 7 days, and the days of `rangeFirst` and
 * `rangeLast`. Parameters that cannot be read count as missing.
 */
export async function listDownloads(
  ctx: UserCtx,
  search: URLSearchParams,
): Promise<DownloadChoices> {
  const scope = search.get('scope') === 'all' ? 'all' : 'mine'
  const range = {
    first: readDay(search.get('rangeFirst')) ?? '',
    last: readDay(search.get('rangeLast')) ?? '',
  }
  const kept = FILTERS.flatMap((name): [string, string][] => {
    const value = search.get(name)
    return value ? [[name, value]] : []
  })
  const filters = queryOf('filtered', scope, kept)
  const asked = [
    { kind: 'all', query: queryOf('all', scope, []) },
    ...(isNarrowed(filters) ? [{ kind: 'filtered', query: filters } as const] : []),
    ...SPANS_OFFERED.map((kind) => ({ kind, query: queryOf('filtered', scope, [['days', kind]]) })),
    ...(range.first === '' && range.last === ''
      ? []
      : [
          {
            kind: 'range',
            query: queryOf('filtered', scope, Object.entries(range)),
            ...range,
          } as const,
        ]),
  ] as const
  const options = await Promise.all(
    asked.map(async (option): Promise<DownloadOption[]> => {
      const choice = choiceOf(option.query)
      if (choice === null) return []
      return [{ ...option, query: `${option.query}`, ...(await measureChosen(ctx, choice)) }]
    }),
  )
  return { options: options.flat(), fields: { scope, ...Object.fromEntries(kept) }, range }
}

const queryOf = (choice: string, scope: string, filters: readonly (readonly [string, string])[]) =>
  new URLSearchParams([['choice', choice], ['scope', scope], ...filters.map(([a, b]) => [a, b])])

function choiceOf(query: URLSearchParams): VideoChoice | null {
  const read = readChoice(query)
  return read.success ? read.data : null
}

function isNarrowed(query: URLSearchParams): boolean {
  const choice = choiceOf(query)
  if (choice?.kind !== 'filtered') return false
  const { status, aspectRatio, user } = choice
  return status !== 'all' || aspectRatio !== 'all' || user !== null || isSought(choice)
}
