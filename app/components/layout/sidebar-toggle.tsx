import { useLocation } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { paths } from '~/lib/paths'
import { FormIdentity } from '../ui/action-form'
import { buttonClass } from '../ui/button'
import { Icon } from '../ui/icon'

type Props = { isCollapsed: boolean; toggle: (form: HTMLFormElement) => void }

/** A plain form. Scripts collapse the sidebar at once and handle Ctrl/Cmd+B. */
export function SidebarToggle({ isCollapsed, toggle }: Props) {
  const { pathname, search } = useLocation()
  const form = useRef<HTMLFormElement>(null)
  useShortcut(() => form.current?.requestSubmit())
  const label = isCollapsed ? 'Expand the sidebar' : 'Collapse the sidebar'
  return (
    <form
      ref={form}
      method="post"
      action={paths.sidebar}
      className="max-md:hidden"
      onSubmit={(event) => {
        event.preventDefault()
        toggle(event.currentTarget)
      }}
    >
      <FormIdentity intent="sidebar" />
      <input type="hidden" name="returnTo" value={pathname + search} />
      <input type="hidden" name="state" value={isCollapsed ? 'expanded' : 'collapsed'} />
      <button
        aria-label={label}
        data-tooltip={`${label} (Ctrl+B)`}
        aria-keyshortcuts="Control+B Meta+B"
        className={buttonClass('quiet', 'bar-icon')}
      >
        <Icon name="panel-left" className="size-5" />
      </button>
    </form>
  )
}

/** Calls `toggle` on Ctrl+B or Cmd+B. */
function useShortcut(toggle: () => void): void {
  const latest = useRef(toggle)
  useEffect(() => {
    latest.current = toggle
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'b' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
