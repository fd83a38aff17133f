import { useLocation, useRouteLoaderData } from '@remix-run/react'
import { PanelLeft } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import type { UserView } from '~/domain/accounts/types'
import { paths } from '~/lib/paths'
import type { loader } from '~/root'
import { FormIdentity } from '../ui/action-form'
import { buttonClass } from '../ui/button'
import { Tooltips } from '../ui/tooltips'
import { Logo } from './logo'
import { MenuSheet } from './menu-sheet'
import { SidebarContent } from './sidebar'
import { ThemeToggle } from './theme-toggle'
import { useSidebarShortcut } from './use-sidebar-shortcut'

type Props = { user: UserView; isCollapsed: boolean; children: ReactNode }

/** The signed-in frame: a sidebar beside the page, a sheet over it below 768 px. */
export function AppFrame({ user, isCollapsed, children }: Props) {
  const root = useRouteLoaderData<typeof loader>('root')
  return (
    <div className="md:flex">
      <a
        href="#page"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:bg-surface focus:p-2"
      >
        Skip to the page
      </a>
      <aside
        aria-label="Sidebar"
        className={`sticky top-0 hidden h-screen shrink-0 flex-col overflow-y-auto border-r border-line bg-surface md:flex ${isCollapsed ? 'w-12' : 'w-64'}`}
      >
        <SidebarContent user={user} isCollapsed={isCollapsed} />
      </aside>
      <div className="min-w-0 grow">
        <header className="sticky top-0 z-20 flex min-h-14 items-center gap-2 border-b border-line bg-paper/95 px-3 md:px-6">
          <MenuSheet>
            <SidebarContent user={user} isCollapsed={false} />
          </MenuSheet>
          <SidebarToggle isCollapsed={isCollapsed} />
          <span className="md:hidden">
            <Logo name={root?.product ?? ''} />
          </span>
          <span className="ml-auto">
            <ThemeToggle />
          </span>
        </header>
        <main id="page" className="mx-auto max-w-7xl p-4 md:p-6">
          {children}
        </main>
      </div>
      <Tooltips />
    </div>
  )
}

/** A form like any other; with scripts Ctrl/Cmd+B sends it. */
function SidebarToggle({ isCollapsed }: { isCollapsed: boolean }) {
  const { pathname, search } = useLocation()
  const button = useRef<HTMLButtonElement>(null)
  useSidebarShortcut(() => button.current?.click())
  return (
    <form method="post" action={paths.sidebar} className="hidden md:block">
      <FormIdentity intent="sidebar" />
      <input type="hidden" name="returnTo" value={pathname + search} />
      <button
        ref={button}
        name="state"
        value={isCollapsed ? 'expanded' : 'collapsed'}
        aria-label={isCollapsed ? 'Expand the sidebar' : 'Collapse the sidebar'}
        aria-keyshortcuts="Control+B Meta+B"
        className={buttonClass('quiet', 'px-2.5')}
      >
        <PanelLeft aria-hidden className="size-5" />
      </button>
    </form>
  )
}
