import { Link } from '@remix-run/react'
import type { KeyboardEvent } from 'react'
import { paths } from '~/lib/paths'

export const TABS = [
  { id: 'text', label: 'Text to Video' },
  { id: 'image', label: 'Image to Video' },
  { id: 'bulk', label: 'Bulk Generator' },
] as const

export type TabId = (typeof TABS)[number]['id']

/** Returns the tab that the URL names, by default the first one. */
export const readTab = (search: URLSearchParams): TabId =>
  TABS.find(({ id }) => id === search.get('tab'))?.id ?? 'text'

/** Id of the tab panel below the tabs. */
export const PANEL_ID = 'create-panel'

/** Three tabs, each with its own URL. With scripts the arrow keys move between them. */
export function Tabs({ current }: { current: TabId }) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const tabs = [...event.currentTarget.querySelectorAll('a')]
    const at = tabs.findIndex((tab) => tab === document.activeElement)
    event.preventDefault()
    tabs[(at + step + tabs.length) % tabs.length]?.focus()
  }
  return (
    <div
      role="tablist"
      aria-label="What to create"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="flex border-b border-line px-1 sm:gap-2 sm:px-3 tiny:flex-col"
    >
      {TABS.map(({ id, label }) => (
        <Link
          key={id}
          to={paths.create(id)}
          role="tab"
          id={`tab-${id}`}
          aria-selected={id === current}
          aria-controls={PANEL_ID}
          preventScrollReset
          className="create-tab"
        >
          {label}
        </Link>
      ))}
    </div>
  )
}
