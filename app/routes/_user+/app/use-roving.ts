import { useRef, useState, type KeyboardEvent } from 'react'

/** The steps of the keys in a grid whose rows have `columns` items. */
const STEPS: Readonly<Record<string, (columns: number) => number>> = {
  ArrowRight: () => 1,
  ArrowLeft: () => -1,
  ArrowDown: (columns) => columns,
  ArrowUp: (columns) => -columns,
  Home: () => -Infinity,
  End: () => Infinity,
}

/**
 * Makes the links of a list one stop of the Tab key, in which the arrow keys, Home and End move.
 * `isLink` tells which items are links, and `first` which one Tab reaches first. Hidden items are passed over.
 * Returns the item that the Tab key reaches, and what the list
 * and its links need. Without scripts (`isActive`) every link is a stop.
 */
export function useRoving(
  isLink: readonly boolean[],
  { isActive, first }: { isActive: boolean; first: number },
) {
  const list = useRef<HTMLOListElement>(null)
  const [last, setLast] = useState(first)
  const stop = isLink[last] === true ? last : isLink.indexOf(true)
  const onKeyDown = (event: KeyboardEvent, from: number) => {
    const step = STEPS[event.key]
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (!isActive || !step || !isPlain) return
    event.preventDefault()
    const items = [...(list.current?.children ?? [])]
    const isShown = (item: Element | undefined) =>
      item instanceof HTMLElement && item.offsetParent !== null
    const links = isLink.map((one, at) => one && isShown(items[at]))
    const to = target(links, { from, step: step(columnsOf(items.filter(isShown))) })
    items[to]?.querySelector('a')?.focus()
  }
  return { list, stop, onKeyDown, onFocus: setLast }
}

/** Returns the item to which a step leads: past items that are no links, and never over the edge. */
function target(isLink: readonly boolean[], { from, step }: { from: number; step: number }) {
  if (step === -Infinity) return isLink.indexOf(true)
  if (step === Infinity) return isLink.lastIndexOf(true)
  for (let at = from + step; at >= 0 && at < isLink.length; at += step) if (isLink[at]) return at
  return from
}

/** Returns how many items are in the first row. */
function columnsOf(items: readonly Element[]): number {
  const topOf = (item: Element | undefined) => item?.getBoundingClientRect().top
  const first = topOf(items[0])
  const next = items.findIndex((item) => topOf(item) !== first)
  return next === -1 ? items.length : next
}
