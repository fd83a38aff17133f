import { useEffect, useRef, type FocusEvent } from 'react'

type Held = { element: HTMLElement; place: number }

/**
 * Keeps the focus in a list whose entries are added and removed. If the focused entry is removed,
 * the first link of the entry that takes its place gets the focus; the browser would start again at
 * the top of the page. `entries` is what the list shows.
 */
export function useKeptFocus(entries: readonly unknown[]) {
  const list = useRef<HTMLUListElement>(null)
  const held = useRef<Held | null>(null)
  useEffect(() => {
    const last = held.current
    if (!last || last.element.isConnected || document.activeElement !== document.body) return
    held.current = null
    const rows = list.current?.children
    rows
      ?.item(Math.min(last.place, rows.length - 1))
      ?.querySelector('a')
      ?.focus()
  }, [entries])
  const onFocus = ({ currentTarget, target }: FocusEvent<HTMLUListElement, HTMLElement>) => {
    const place = Array.from(currentTarget.children).findIndex((row) => row.contains(target))
    held.current = { element: target, place }
  }
  return { ref: list, onFocus }
}
