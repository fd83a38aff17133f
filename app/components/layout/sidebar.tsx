import { Link, NavLink, useRouteLoaderData } from '@remix-run/react'
import { Clapperboard, LogOut, ScrollText, SquarePlay, Users, type LucideIcon } from 'lucide-react'
import type { UserView } from '~/domain/accounts/types'
import { paths } from '~/lib/paths'
import type { loader } from '~/root'
import { ActionForm } from '../ui/action-form'
import { buttonClass } from '../ui/button'
import { AccountCard } from './account-card'
import { Logo } from './logo'

/** `end`: only this very address is the current one, not those below it. */
type Row = { to: string; label: string; icon: LucideIcon; end?: true }

const MAIN: readonly Row[] = [
  { to: paths.app, label: 'Generate Video', icon: Clapperboard },
  { to: paths.dashboard, label: 'My Videos', icon: SquarePlay },
]

/** Only in the HTML of administrators. */
const ADMIN: readonly Row[] = [
  { to: paths.admin.users, label: 'User Management', icon: Users, end: true },
  { to: paths.admin.trail, label: 'Trail', icon: ScrollText },
]

/** What stands in the sidebar and in the sheet; collapsed it keeps its icons. */
export function SidebarContent({ user, isCollapsed }: { user: UserView; isCollapsed: boolean }) {
  const root = useRouteLoaderData<typeof loader>('root')
  return (
    <>
      {!isCollapsed && (
        <Link to={paths.app} className="flex min-h-14 items-center px-4">
          <Logo name={root?.product ?? ''} />
        </Link>
      )}
      <div className={isCollapsed ? 'mt-14' : ''}>
        <Group title="Main" rows={MAIN} isCollapsed={isCollapsed} />
        {user.role === 'admin' && <Group title="Admin" rows={ADMIN} isCollapsed={isCollapsed} />}
      </div>
      <div className={`mt-auto space-y-2 ${isCollapsed ? 'p-1' : 'p-3'}`}>
        {!isCollapsed && <AccountCard user={user} />}
        <ActionForm intent="logout" action={paths.logout} reloadDocument>
          <button
            className={buttonClass(
              'quiet',
              isCollapsed ? 'w-full px-0' : 'w-full justify-start px-2.5',
            )}
          >
            <LogOut aria-hidden className="size-5" />
            <span className={isCollapsed ? 'sr-only' : ''}>Logout</span>
          </button>
        </ActionForm>
      </div>
    </>
  )
}

type GroupProps = { title: string; rows: readonly Row[]; isCollapsed: boolean }

function Group({ title, rows, isCollapsed }: GroupProps) {
  return (
    <nav aria-label={title} className={isCollapsed ? 'p-1' : 'p-2'}>
      {!isCollapsed && <p className="px-2 py-1 text-xs font-medium text-soft">{title}</p>}
      <ul className="space-y-1">
        {rows.map(({ to, label, icon: Icon, end = false }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={end}
              title={isCollapsed ? label : undefined}
              className={({ isActive }) =>
                `flex min-h-11 items-center gap-3 rounded px-2.5 text-sm font-medium ${isActive ? 'bg-sunken text-ink' : 'text-soft hover:bg-sunken hover:text-ink'}`
              }
            >
              <Icon aria-hidden className="size-5 shrink-0" />
              <span className={isCollapsed ? 'sr-only' : ''}>{label}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
