import { daysLabel } from '~/components/gallery/more-filters'
import type { FilterValues, Reason, StatusFilter } from '~/domain/videos/types'

/** The words of Delete All and Regenerate All, by status filter (specification §2). */
export const ALL_WORDS = {
  all: { button: 'All', what: 'ALL', text: 'All' },
  completed: { button: 'All Success', what: 'all SUCCESS', text: 'All completed' },
  pending: { button: 'All Pending', what: 'all PENDING', text: 'All pending' },
  error: { button: 'All Failed', what: 'all FAILED', text: 'All failed' },
  cancelled: { button: 'All Cancelled', what: 'all CANCELLED', text: 'All cancelled' },
} as const satisfies Record<StatusFilter, { button: string; what: string; text: string }>

/** Why videos failed, as a choice of the filter. */
export const REASON_NAMES = {
  service: 'Not their owner’s fault',
  input: 'Settings not accepted',
  policy: 'Refused prompt',
  busy: 'Service too busy',
  down: 'Service not reached',
  token: 'No usable token',
  'time-out': 'Took too long',
  unknown: 'Lost by the service',
} as const satisfies Record<Reason, string>

/** Returns whose videos an action on all reaches, as the filters say: the end of 'videos …'. */
export function whoseText(
  filters: FilterValues,
  { owner, timeZone }: { owner: string | undefined; timeZone: string },
): string {
  const { search, words = '', user, aspectRatio, reason } = filters
  const dates = daysLabel(filters, timeZone)
  const parts = [
    aspectRatio === 'all' ? '' : `in ${aspectRatio} format`,
    user === undefined ? '' : `of ${owner ?? 'the chosen user'}`,
    search === '' ? '' : `of users named “${search}”`,
    words === '' ? '' : `with “${words}” in the prompt`,
    dates === null ? '' : `created ${dates}`,
    reason === undefined ? '' : `with the reason “${REASON_NAMES[reason]}”`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'of all users' : parts.join(', ')
}
