import {
  Activity,
  Clapperboard,
  Film,
  KeyRound,
  MessageSquareQuote,
  ScrollText,
  SquarePlay,
  Users,
  UserX,
  type LucideIcon,
} from 'lucide-react'
import { paths } from '~/lib/paths'

/** A row of the sidebar. `end`: current only for exactly this path, not for paths below it. */
export type NavRow = { to: string; label: string; icon: LucideIcon; end?: true }

export const MAIN_ROWS: readonly NavRow[] = [
  { to: paths.app, label: 'Generate Video', icon: Clapperboard },
  { to: paths.dashboard, label: 'My Videos', icon: SquarePlay },
]

/** Rendered only for administrators. */
export const ADMIN_ROWS: readonly NavRow[] = [
  { to: paths.admin.users, label: 'User Management', icon: Users, end: true },
  { to: paths.admin.prompts, label: 'Prompts', icon: MessageSquareQuote },
  { to: paths.admin.userTrash, label: 'Deleted Users', icon: UserX },
  { to: paths.admin.videos, label: 'All Videos', icon: Film },
  { to: paths.admin.tokens, label: 'Token Pool', icon: KeyRound },
  { to: paths.admin.system, label: 'System', icon: Activity },
  { to: paths.admin.trail, label: 'Activity log', icon: ScrollText },
]
