import { Link, NavLink } from '@remix-run/react'
import { useState, type FormEvent } from 'react'
import type { Level } from '~/domain/health/types'
import type { LayoutData } from '~/http/loaders/layout.server'
import { paths } from '~/lib/paths'
import { postForm } from '~/lib/post-form'
import { ActionForm } from '../ui/action-form'
import { buttonClass } from '../ui/button'
import { AccountCard } from './account-card'
import { ChatButton } from './chat-button'
import { DailyPromptCard } from './daily-prompt-card'
import { Logo } from './logo'
import { ADMIN_ROWS, HELPER_ROWS, MAIN_ROWS, SETUP_ROW, type NavRow } from './nav-rows'
import { SidebarToggle } from './sidebar-toggle'
import { ThemeToggle } from './theme-toggle'
import { Icon } from '../ui/icon'
import { useRootData } from '../ui/use-root-data'

type Props = Omit<LayoutData, 'notices'> & { menuId: string }

/** The navigation, the daily prompt and the signed-in user. */
export function Sidebar({
  menuId,
  user,
  quota,
  monthLimit,
  dailyPrompt,
  isCollapsed: stored,
  systemLevel,
  rights,
  mayUseApi,
  isSetUp,
  chatNumber,
}: Props) {
  const root = useRootData()
  const [isCollapsed, setCollapsed] = useState(stored)
  const toggle = (form: HTMLFormElement) => {
    // The response sets the cookie for the next page.
    void postForm(form)
    setCollapsed(!isCollapsed)
  }
  const expandedOnly = isCollapsed ? 'md:hidden' : ''
  return (
    <div id="sidebar" className={`side-sheet ${isCollapsed ? 'md:w-12' : 'md:w-64'}`}>
      <div
        className={`flex min-h-14 items-center justify-between gap-2 pl-4 pr-2 ${isCollapsed ? 'md:justify-center md:px-0' : ''}`}
      >
        <Link to={paths.app} className={`inline-flex ${expandedOnly}`}>
          <Logo name={root?.product ?? ''} />
        </Link>
        <SidebarToggle isCollapsed={isCollapsed} toggle={toggle} />
        <label
          htmlFor={menuId}
          className={buttonClass('quiet', 'cursor-pointer bar-icon md:hidden')}
        >
          <Icon name="x" className="size-5" />
        </label>
      </div>
      <Group title="Main" rows={MAIN_ROWS} isCollapsed={isCollapsed} />
      {user.role === 'admin' && (
        <Group
          title="Admin"
          rows={isSetUp ? ADMIN_ROWS : [...ADMIN_ROWS, SETUP_ROW]}
          isCollapsed={isCollapsed}
          marks={{ [paths.admin.system]: systemLevel }}
        />
      )}
      {rights.length > 0 && (
        <Group
          title="Helper"
          rows={HELPER_ROWS.filter(({ right }) => right === undefined || rights.includes(right))}
          isCollapsed={isCollapsed}
        />
      )}
      <div className={`mt-auto space-y-3 p-3 ${expandedOnly}`}>
        {dailyPrompt && <DailyPromptCard prompt={dailyPrompt} />}
        <AccountCard user={user} quota={quota} monthLimit={monthLimit} mayUseApi={mayUseApi} />
      </div>
      <div
        className={`flex items-center gap-1 border-t border-line p-2 ${isCollapsed ? 'md:mt-auto md:flex-col md:p-0.5' : ''}`}
      >
        <LogoutButton isCollapsed={isCollapsed} />
        <div className="max-md:hidden">
          <ChatButton chatNumber={chatNumber} user={user} />
        </div>
        <div className="tiny:block max-md:hidden">
          <ThemeToggle />
        </div>
      </div>
    </div>
  )
}

type GroupProps = {
  title: string
  rows: readonly NavRow[]
  isCollapsed: boolean
  /** Rows whose page reports a problem, by their address. */
  marks?: Readonly<Record<string, Level>>
}

function Group({ title, rows, isCollapsed, marks = {} }: GroupProps) {
  return (
    <nav aria-label={title} className={isCollapsed ? 'p-2 md:px-0.5 md:py-1' : 'p-2'}>
      <p className={`eyebrow px-2.5 pb-1 ${isCollapsed ? 'md:sr-only' : ''}`}>{title}</p>
      <ul className="space-y-0.5">
        {rows.map(({ to, label, icon, end = false }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={end}
              data-tooltip={isCollapsed ? label : undefined}
              className={({ isActive }) =>
                `relative flex min-h-11 items-center gap-3 rounded px-2.5 text-sm md:min-h-9 ${isActive ? 'bg-sunken font-semibold text-ink before:absolute before:inset-y-2 before:left-0 before:w-1 before:rounded-full before:bg-accent' : 'text-soft hover:bg-sunken hover:text-ink'} ${isCollapsed ? 'md:justify-center md:px-0' : ''}`
              }
            >
              <Icon name={icon} className="size-5 shrink-0" />
              <span className={isCollapsed ? 'md:sr-only' : ''}>{label}</span>
              <Mark level={marks[to] ?? 'ok'} />
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** A dot on the row of a page that reports a problem. */
function Mark({ level }: { level: Level }) {
  if (level === 'ok') return null
  const isBad = level === 'bad'
  return (
    <span
      className={`size-2.5 shrink-0 rounded-full md:absolute md:right-2 ${isBad ? 'bg-bad' : 'bg-warn'}`}
    >
      <span className="sr-only">{isBad ? 'Action needed' : 'Check this'}</span>
    </span>
  )
}

function LogoutButton({ isCollapsed }: { isCollapsed: boolean }) {
  return (
    <ActionForm
      intent="logout"
      action={paths.logout}
      reloadDocument
      onSubmit={(event) => void logOut(event)}
      className="grow"
    >
      <button
        data-tooltip={isCollapsed ? 'Logout' : undefined}
        className={buttonClass('quiet', `w-full !px-2.5 ${isCollapsed ? '' : '!justify-start'}`)}
      >
        <Icon name="log-out" className="size-5 shrink-0" />
        <span className={isCollapsed ? 'md:sr-only' : ''}>Logout</span>
      </button>
    </ActionForm>
  )
}

/**
 * Sends the form and goes to the sign-in page. A failure is only logged (specification §8), whereas the
 * browser would show an error page.
 */
async function logOut(event: FormEvent<HTMLFormElement>): Promise<void> {
  event.preventDefault()
  const response = await postForm(event.currentTarget)
  if (response?.type === 'opaqueredirect') window.location.assign(paths.login)
  else console.error('Logout failed:', response?.status)
}
