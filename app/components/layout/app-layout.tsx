import { useLocation, useNavigation, useSearchParams } from '@remix-run/react'
import { useRef, type ReactNode } from 'react'
import type { LayoutData } from '~/http/loaders/layout.server'
import { readDialog } from '~/lib/dialog-address'
import { PageMessage } from '../ui/toasts'
import { buttonClass } from '../ui/button'
import { Icon } from '../ui/icon'
import { lateDialog } from '../ui/late-dialog'
import { Tooltips } from '../ui/tooltips'
import { ChatButton } from './chat-button'
import { Logo } from './logo'
import { NoticeBanners } from './notice-banners'
import { PlanNotice } from './plan-notice'
import { Sidebar } from './sidebar'
import { ThemeToggle } from './theme-toggle'
import { stayOffline } from './stay-offline'
import { useMenuSheet } from './use-menu-sheet'
import { CHANGE_PASSWORD } from './change-password-address'
import { useRootData } from '../ui/use-root-data'

const MENU = 'menu'

const ChangePasswordDialog = lateDialog(
  async () => (await import('./change-password')).ChangePasswordDialog,
)

/**
 * The frame of signed-in pages: a sidebar beside the page, or a sheet over it below 768 px. A
 * checkbox opens the sheet, so that it works without scripts. Scripts add Escape and keep the focus
 * inside.
 */
export function AppLayout({ children, notices, ...data }: LayoutData & { children: ReactNode }) {
  const root = useRootData()
  const [search] = useSearchParams()
  const menu = useRef<HTMLInputElement>(null)
  const page = useRef<HTMLDivElement>(null)
  useMenuSheet(menu, page)
  return (
    <div className="group/frame md:flex" onClickCapture={stayOffline}>
      <a
        href="#page"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded focus:bg-surface focus:p-2"
      >
        Skip to content
      </a>
      <aside
        aria-label="Sidebar"
        className="md:sticky md:top-0 md:z-30 md:h-dvh md:shrink-0 print:hidden"
      >
        <input
          ref={menu}
          id={MENU}
          type="checkbox"
          aria-label="Menu"
          className="peer sr-only md:hidden"
        />
        <label
          htmlFor={MENU}
          className="fixed inset-0 z-30 hidden bg-film/60 peer-checked:block md:!hidden"
        >
          <span className="sr-only">Close the menu</span>
        </label>
        <Sidebar menuId={MENU} {...data} />
      </aside>
      <div ref={page} className="min-w-0 grow">
        <header className="sticky top-0 z-20 flex min-h-14 items-center gap-2 border-b border-line bg-paper px-2 md:hidden print:hidden">
          <label
            htmlFor={MENU}
            className={buttonClass(
              'quiet',
              'cursor-pointer bar-icon group-has-[#menu:focus-visible]/frame:outline group-has-[#menu:focus-visible]/frame:outline-2 group-has-[#menu:focus-visible]/frame:outline-accent',
            )}
          >
            <Icon name="menu" className="size-5" />
          </label>
          <Logo name={root?.product ?? ''} />
          <div className="ml-auto flex">
            <RefreshButton />
            <ChatButton chatNumber={data.chatNumber} user={data.user} />
            <div className="tiny:hidden">
              <ThemeToggle />
            </div>
          </div>
        </header>
        <main
          id="page"
          className="mx-auto max-w-7xl p-4 has-[.cards]:max-w-[108rem] tiny:px-2 md:px-8 md:py-6"
        >
          <NoticeBanners {...notices} />
          <PageMessage />
          <PlanNotice {...data} />
          {children}
        </main>
      </div>
      {readDialog(search).name === CHANGE_PASSWORD && <ChangePasswordDialog />}
      <Tooltips />
      <LoadingBar />
    </div>
  )
}

/**
 * Reloads the page, because phones have no convenient reload button. It floats in the bar at the top,
 * away from the thumb and from what is read.
 */
function RefreshButton() {
  const { pathname, search } = useLocation()
  return (
    <a href={pathname + search} aria-label="Refresh" className={buttonClass('quiet', 'bar-icon')}>
      <Icon name="rotate-cw" className="size-5" />
    </a>
  )
}

/**
 * A line at the top while the next page is loading. It appears with a delay, so that fast pages do
 * not flicker.
 */
function LoadingBar() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return <div aria-hidden className="loading-bar fixed inset-x-0 top-0 z-50 h-0.5 bg-accent" />
}
