import { useEffect, useRef } from 'react'
import { followTooltips } from './follow-tooltips'

/**
 * The tooltips of a page: one box for all elements with `data-tooltip`. A tooltip repeats the
 * element's name, so nothing is lost without scripts or for screen readers.
 */
export function Tooltips() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const ends = new AbortController()
    if (box.current) followTooltips(box.current, ends.signal)
    return () => ends.abort()
  }, [])
  return (
    <div
      ref={box}
      role="tooltip"
      hidden
      className="pointer-events-none fixed inset-auto m-0 max-w-xs rounded border-0 bg-ink px-2.5 py-1.5 text-xs font-medium text-paper"
    />
  )
}
