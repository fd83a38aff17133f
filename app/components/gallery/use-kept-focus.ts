import { useEffect, useRef, type FocusEvent } from 'react'

type Held = { element: HTMLElement; place: number }

/**
 * Keeps the focus in a gallery whose cards and buttons are added and removed; the browser would start
 * again at the top of the page. If the focused element is removed, the first link of the card that
 * takes the place of its card gets the focus, or else the gallery's heading. `entries` is what the
 * gallery shows.
 */
export function useKeptFocus(entries: readonly unknown[]) {
  const gallery = useRef<HTMLElement>(null)
  const held = useRef<Held | null>(null)
  useEffect(() => {
    const last = held.current
    if (!last || last.element.isConnected || document.activeElement !== document.body) return
    held.current = null
    const cards = gallery.current?.querySelectorAll('article')
    const next = cards?.[Math.min(last.place, cards.length - 1)]
    const target = next?.querySelector('a') ?? gallery.current?.querySelector('h2')
    target?.focus()
  }, [entries])
  const onFocus = ({ currentTarget, target }: FocusEvent<HTMLElement, HTMLElement>) => {
    const cards = Array.from(currentTarget.querySelectorAll('article'))
    held.current = { element: target, place: cards.findIndex((card) => card.contains(target)) }
  }
  return { ref: gallery, onFocus }
}
