import { paths } from '~/lib/paths'
import { PLAN_NAMES } from '../../plans/types'
import { NO_SELECTION, selectionParams, type UserSelection } from './user-selection'

/** Returns the page whose list a query describes. */
export const listPage = ({ view }: { view?: 'desk' | undefined }) =>
  view === 'desk' ? paths.admin.renewals : paths.admin.users

/** The plans to filter by, and 'none' for accounts without one. */
export const PLAN_FILTERS = [...PLAN_NAMES, 'none'] as const

/** What an address without parameters means. */
const INITIAL: Readonly<Record<string, string>> = {
  search: '',
  role: 'all',
  status: 'all',
  sort: 'created',
  page: '1',
}

/**
 * Returns the query of the users' list: its filters, order and page (a `UserTableQuery`), and the
 * ticked users.
 */
export function userTableAddress(
  query: Readonly<Record<string, string | number | undefined>>,
  selection: UserSelection = NO_SELECTION,
): string {
  const params = new URLSearchParams(selectionParams(selection))
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && String(value) !== INITIAL[name]) params.set(name, String(value))
  }
  return `?${params}`
}
