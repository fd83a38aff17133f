import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { Icon } from '~/components/ui/icon'
import { PANEL_ID, Tabs, type TabId } from './tabs'

type Props = {
  tab: TabId
  /** Without scripts: whether the page reloads itself, so that nothing can be typed. */
  isStill: boolean
  children: ReactNode
}

/**
 * What the user writes into: the tabs and the form of the chosen one. On a phone the form for one
 * video is a bar at the foot of the window, with the box, the aspect ratio and the button; its first
 * button opens the rest (`composer-extra`). Works without scripts. The details element contains only
 * its heading, because only the newest browsers let a style show the content of a closed one.
 */
export function Composer({ tab, isStill, children }: Props) {
  const isBar = tab === 'text'
  const section = useRef<HTMLElement>(null)
  useTabInView(section, tab)
  return (
    <section
      ref={section}
      aria-label="Create"
      className={`composer ${isBar ? 'composer-bar' : ''} ${isBar && isStill ? 'bar-still' : ''}`}
    >
      {isBar && (
        <details className="composer-more">
          <summary aria-label="More options">
            <Icon name="plus" className="size-5" />
          </summary>
        </details>
      )}
      <div className="composer-extra">
        <Tabs current={tab} />
      </div>
      <div
        role="tabpanel"
        id={PANEL_ID}
        aria-labelledby={`tab-${tab}`}
        className={`composer-panel md:scroll-mt-20 ${isStill ? 'while-still' : ''}`}
      >
        {children}
      </div>
    </section>
  )
}

/**
 * Brings the form of another tab into view. On a phone it is at the top of the page, whereas the tab
 * was pressed in the bar.
 */
function useTabInView(section: RefObject<HTMLElement>, tab: TabId): void {
  const shown = useRef(tab)
  useEffect(() => {
    if (shown.current === tab) return
    shown.current = tab
    const top = section.current?.getBoundingClientRect().top ?? 0
    if (top < 0) section.current?.scrollIntoView({ block: 'start' })
  }, [section, tab])
}
