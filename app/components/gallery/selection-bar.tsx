import { useRef, type ReactNode } from 'react'
import { Button } from '../ui/button'
import { useBeforePaint } from '../ui/use-before-paint'
import { useHydrated } from '../ui/use-hydrated'
import { SelectedActions } from './bulk-actions'
import { useGallery, useTicks } from './gallery-context'
import { TickedCount } from './select-all'

const CLEAR = { mine: 'Clear', all: 'Clear Selection' } as const

/**
 * The bar of the ticked cards, with their number and the actions for them. It is there only once
 * something is ticked, at the foot of the window, so that no card moves (app/styles/tailwind.css). When it
 * goes, its focus moves to the heading of the gallery.
 */
export function SelectionBar({ more }: { more: ReactNode }) {
  const { page, scope } = useGallery()
  const { count, clear } = useTicks()
  const isHydrated = useHydrated()
  const bar = useRef<HTMLDivElement>(null)
  useBeforePaint(() => {
    if (count > 0 || !bar.current?.contains(document.activeElement)) return
    bar.current.closest('section')?.querySelector('h2')?.focus({ preventScroll: true })
  }, [count])
  if (page.videos.length === 0 && count === 0) return null
  return (
    <div ref={bar} data-box role="group" aria-label="Selected videos" className="selection-bar">
      <div className="ticked-count">
        <TickedCount />
        {isHydrated && (
          <Button type="button" look="quiet" onClick={clear} className="clear-ticks">
            {CLEAR[scope]}
          </Button>
        )}
      </div>
      <SelectedActions more={more} />
    </div>
  )
}
