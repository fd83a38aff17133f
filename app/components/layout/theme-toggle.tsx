import { useLocation, useRouteLoaderData } from '@remix-run/react'
import { Moon, Sun } from 'lucide-react'
import { paths } from '~/lib/paths'
import type { loader } from '~/root'
import { buttonClass } from '../ui/button'
import { FormIdentity } from '../ui/action-form'

/**
 * Two buttons, of which CSS shows the one that leads to the other theme: what the system prefers is
 * known to the browser only. A plain form, so that the new theme is in the very next HTML.
 */
export function ThemeToggle() {
  const { pathname, search } = useLocation()
  const root = useRouteLoaderData<typeof loader>('root')
  const chosen = root?.theme
  const shownIf = (theme: 'light' | 'dark') =>
    chosen
      ? chosen === theme
        ? ''
        : 'hidden'
      : theme === 'dark'
        ? 'hidden dark-system:inline-flex'
        : 'dark-system:hidden'
  return (
    <form method="post" action={paths.theme}>
      <FormIdentity intent="theme" />
      <input type="hidden" name="returnTo" value={pathname + search} />
      <button
        name="theme"
        value="dark"
        aria-label="Dark theme"
        className={buttonClass('quiet', `px-2.5 ${shownIf('light')}`)}
      >
        <Moon aria-hidden className="size-5" />
      </button>
      <button
        name="theme"
        value="light"
        aria-label="Light theme"
        className={buttonClass('quiet', `px-2.5 ${shownIf('dark')}`)}
      >
        <Sun aria-hidden className="size-5" />
      </button>
    </form>
  )
}
