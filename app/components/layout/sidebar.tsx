import { Link, NavLink, useLocation } from '@remix-run/react'
import { useState, type ReactNode } from 'react'
import type { Level } from '~/domain/health/types'
import type { LayoutData } from '~/http/loaders/layout.server'
import { paths } from '~/lib/paths'
import { postForm } from '~/lib/post-form'
import { buttonClass } from '../ui/button'
import { AccountMenu } from './account-menu'
import { DailyPromptCard } from './daily-prompt-card'
import { Logo } from './logo'
import { adminGroupOf, MAIN_ROWS, type AdminGroup, type NavRow } from './nav-rows'
import { SidebarToggle } from './sidebar-toggle'
import { Icon } from '../ui/icon'
import { useRootData } from '../ui/use-root-data'

type Props = Omit<LayoutData, 'notices'> & { menuId: string }

/** The navigation, the daily prompt and the signed-in user. */
export function Sidebar({
  menuId,
  dailyPrompt,
  isCollapsed: stored,
  adminGroups,
  systemLevel,
  helperRows,
  setupRows,
  ...account
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
      <Menu title="Main" isCollapsed={isCollapsed}>
        <Rows rows={MAIN_ROWS} isCollapsed={isCollapsed} />
      </Menu>
      {account.user.role === 'admin' && (
        <Menu title="Admin" isCollapsed={isCollapsed}>
          {setupRows.length > 0 && <Rows rows={setupRows} isCollapsed={isCollapsed} />}
          <AdminGroups groups={adminGroups} systemLevel={systemLevel} isCollapsed={isCollapsed} />
        </Menu>
      )}
      {helperRows.length > 0 && (
        <Menu title="Helper" isCollapsed={isCollapsed}>
          <Rows rows={helperRows} isCollapsed={isCollapsed} />
        </Menu>
      )}
      <div className={`mt-auto p-2 ${expandedOnly}`}>
        {dailyPrompt && <DailyPromptCard prompt={dailyPrompt} />}
      </div>
      <div className={`side-foot ${isCollapsed ? 'md:mt-auto md:px-0.5' : ''}`}>
        <AccountMenu {...account} isCollapsed={isCollapsed} />
      </div>
    </div>
  )
}

type MenuProps = { title: string; isCollapsed: boolean; children: ReactNode }

const Menu = ({ title, isCollapsed, children }: MenuProps) => (
  <nav aria-label={title} className={isCollapsed ? 'p-2 md:px-0.5 md:py-1' : 'p-2'}>
    <p className={`eyebrow px-2.5 pb-1 ${isCollapsed ? 'md:sr-only' : ''}`}>{title}</p>
    {children}
  </nav>
)

type GroupsProps = Pick<Props, 'systemLevel' | 'isCollapsed'> & { groups: readonly AdminGroup[] }

/**
 * An administrator's rows. Only the group of the open page is unfolded; a collapsed sidebar has room for
 * the icons of all.
 */
function AdminGroups({ groups, systemLevel, isCollapsed }: GroupsProps) {
  const current = adminGroupOf(groups, useLocation().pathname)
  const marks: RowsProps['marks'] = { [paths.admin.system]: systemLevel }
  return groups.map((group) => (
    // Another one where the sidebar is collapsed: there a group that was folded by hand could not be opened.
    <details
      key={`${group.title} ${isCollapsed}`}
      open={isCollapsed || group === current}
      className="group/fold"
    >
      <summary className={`side-row ${isCollapsed ? 'md:hidden' : ''}`}>
        <Icon name="chevron-down" className="fold-arrow" />
        {group.title}
        <span className="contents group-open/fold:hidden">
          <Mark level={group.rows.map(({ to }) => marks[to]).find(Boolean)} />
        </span>
      </summary>
      <Rows rows={group.rows} isCollapsed={isCollapsed} marks={marks} />
    </details>
  ))
}

type RowsProps = {
  rows: readonly NavRow[]
  isCollapsed: boolean
  /** Rows whose page reports a problem, by their address. */
  marks?: Readonly<Record<string, Level>>
}

const Rows = ({ rows, isCollapsed, marks = {} }: RowsProps) => (
  <ul className="space-y-0.5">
    {rows.map(({ to, label, icon, end = false }) => (
      <li key={to}>
        <NavLink
          to={to}
          end={end}
          data-tooltip={isCollapsed ? label : undefined}
          className={`side-row ${isCollapsed ? 'md:justify-center md:px-0' : ''}`}
        >
          <Icon name={icon} className="size-5 shrink-0" />
          <span className={isCollapsed ? 'md:sr-only' : ''}>{label}</span>
          <Mark level={marks[to]} />
        </NavLink>
      </li>
    ))}
  </ul>
)

/** A dot on the row of a page that reports a problem. */
function Mark({ level = 'ok' }: { level: Level | undefined }) {
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
