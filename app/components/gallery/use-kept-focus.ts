import { useEffect, useRef, type FocusEvent } from 'react'

type Held = { element: HTMLElement; place: number }

/**
 * For a list whose entries come and go: where the one that has the focus goes away, the entry that
 * takes its place takes the focus too (its first link); the browser would start again at the top of the
 * page. `entries` is what the list shows.
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
