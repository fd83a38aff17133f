import { paths } from '~/lib/paths'
import type { Right } from '~/domain/context'
import type { IconName } from '../ui/icon-names'

/** A row of the sidebar. `end`: current only for exactly this path, not for paths below it. */
export type NavRow = { to: string; label: string; icon: IconName; end?: true }

export const MAIN_ROWS: readonly NavRow[] = [
  { to: paths.app, label: 'Generate Video', icon: 'clapperboard' },
  { to: paths.dashboard, label: 'My Videos', icon: 'square-play' },
  { to: paths.batches, label: 'Batches', icon: 'layers' },
  { to: paths.collections, label: 'Collections', icon: 'folder' },
  { to: paths.films, label: 'Films', icon: 'image-play' },
]

/** Rendered for editors with the right. */
export const HELPER_ROWS: readonly (NavRow & { right?: Right })[] = [
  { to: paths.helper, label: 'Customers', icon: 'users' },
  { to: paths.admin.prompts, label: 'Prompts', icon: 'message-square-quote', right: 'prompts' },
]

/** Rendered for administrators until everything is set up; then the System page leads there. */
export const SETUP_ROW: NavRow = { to: paths.admin.setup, label: 'Set-up', icon: 'list-plus' }

/** Rendered only for administrators: the business, the videos, the installation. */
export const ADMIN_ROWS: readonly NavRow[] = [
  { to: paths.admin.overview, label: 'Overview', icon: 'chart-column' },
  { to: paths.admin.users, label: 'User Management', icon: 'users', end: true },
  { to: paths.admin.renewals, label: 'Renewals', icon: 'calendar-plus' },
  { to: paths.admin.payments, label: 'Payments', icon: 'banknote' },
  { to: paths.admin.plans, label: 'Plans', icon: 'file-text' },
  { to: paths.admin.helpers, label: 'Helpers', icon: 'user-plus' },
  { to: paths.admin.userTrash, label: 'Deleted Users', icon: 'user-x' },
  { to: paths.admin.videos, label: 'All Videos', icon: 'film' },
  { to: paths.admin.prompts, label: 'Prompts', icon: 'message-square-quote' },
  { to: paths.admin.tokens, label: 'Token Pool', icon: 'key-round' },
  { to: paths.admin.system, label: 'System', icon: 'activity' },
  { to: paths.admin.auditLog, label: 'Activity log', icon: 'scroll-text' },
  { to: paths.admin.settings, label: 'Settings', icon: 'settings' },
]
