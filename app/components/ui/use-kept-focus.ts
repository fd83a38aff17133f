import { useEffect, useRef, type FocusEvent } from 'react'

type Held = { element: HTMLElement; place: number }

type Selectors = { card: string; target: string }

/**
 * Keeps the focus in a section whose cards and buttons are added and removed; the browser would start
 * again at the top of the page. If the focused element is removed, the first target of the card that
 * takes the place of its card gets the focus, or else the section's heading. `entries` is what the
 * section shows; `card` and `target` select its cards and what in them takes the focus.
 */
export function useKeptFocus(entries: readonly unknown[], { card, target }: Selectors) {
  const section = useRef<HTMLElement>(null)
  const held = useRef<Held | null>(null)
  useEffect(() => {
    const last = held.current
    if (!last || last.element.isConnected || document.activeElement !== document.body) return
    held.current = null
    const cards = section.current?.querySelectorAll(card)
    const next = cards?.[Math.min(last.place, cards.length - 1)]
    const place = next?.querySelector<HTMLElement>(target) ?? section.current?.querySelector('h2')
    place?.focus()
  }, [entries, card, target])
  const onFocus = (event: FocusEvent<HTMLElement, HTMLElement>) => {
    const element = event.target
    const cards = Array.from(event.currentTarget.querySelectorAll(card))
    held.current = { element, place: cards.findIndex((one) => one.contains(element)) }
  }
  return { ref: section, onFocus }
}
