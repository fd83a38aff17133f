import type { Right } from '~/domain/context'
import { paths } from '~/lib/paths'

// Menus of a few users. They are data of the page, so that no other user loads them with the scripts.

const GROUPS = [
  {
    title: 'Business',
    rows: [
      { to: paths.admin.overview, label: 'Overview', icon: 'chart-column' },
      { to: paths.admin.payments, label: 'Payments', icon: 'banknote' },
      { to: paths.admin.codes, label: 'Codes', icon: 'wallet' },
      { to: paths.admin.plans, label: 'Plans', icon: 'file-text' },
      { to: paths.admin.helpers, label: 'Helpers', icon: 'user-plus' },
    ],
  },
  {
    title: 'Customers',
    rows: [
      { to: paths.admin.users, label: 'User Management', icon: 'users', end: true },
      { to: paths.admin.renewals, label: 'Renewals', icon: 'calendar-plus' },
      { to: paths.admin.userTrash, label: 'Deleted Users', icon: 'user-x' },
      { to: paths.admin.videos, label: 'All Videos', icon: 'film' },
    ],
  },
  {
    title: 'Running',
    rows: [
      { to: paths.admin.tokens, label: 'Token Pool', icon: 'key-round' },
      { to: paths.admin.prompts, label: 'Prompts', icon: 'message-square-quote' },
      { to: paths.admin.system, label: 'System', icon: 'activity' },
      { to: paths.admin.activityLog, label: 'Activity log', icon: 'scroll-text' },
      { to: paths.admin.settings, label: 'Settings', icon: 'settings' },
    ],
  },
] as const

type AdminGroup = { title: string; rows: (typeof GROUPS)[number]['rows'][number][] }

/** An administrator's row until everything is set up; then the System page leads there. */
export const SETUP_ROW = { to: paths.admin.setup, label: 'Set-up', icon: 'list-plus' } as const

/** Returns the menu of an administrator. */
export const adminMenu = (): AdminGroup[] =>
  GROUPS.map(({ title, rows }) => ({ title, rows: [...rows] }))

const HELPER_ROWS = [
  { to: paths.helper, label: 'Customers', icon: 'users' },
  { to: paths.admin.prompts, label: 'Prompts', icon: 'message-square-quote', right: 'prompts' },
  { to: paths.admin.codes, label: 'Codes', icon: 'wallet', right: 'codes' },
] as const

/** Returns the rows of an editor with these rights; none without any. */
export const helperMenu = (rights: readonly Right[]) =>
  HELPER_ROWS.filter((row) => ('right' in row ? rights.includes(row.right) : rights.length > 0))
