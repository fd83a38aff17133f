import type { FilterValues, StatusFilter } from '~/domain/videos/types'

/** The words of Delete All and Regenerate All, by status filter (specification §2). */
export const ALL_WORDS = {
  all: { button: 'All', what: 'ALL', text: 'All' },
  completed: { button: 'All Success', what: 'all SUCCESS', text: 'All completed' },
  pending: { button: 'All Pending', what: 'all PENDING', text: 'All pending' },
  error: { button: 'All Failed', what: 'all FAILED', text: 'All failed' },
} as const satisfies Record<StatusFilter, { button: string; what: string; text: string }>

/** Returns whose videos an action on all reaches, as the filters say: the end of 'videos …'. */
export function whoseText(filters: FilterValues, owner: string | undefined): string {
  const { search, words = '', user, aspectRatio } = filters
  const parts = [
    aspectRatio === 'all' ? '' : `in ${aspectRatio} format`,
    user === undefined ? '' : `of ${owner ?? 'the chosen user'}`,
    search === '' ? '' : `of users named “${search}”`,
    words === '' ? '' : `with “${words}” in the prompt`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'of all users' : parts.join(', ')
}
