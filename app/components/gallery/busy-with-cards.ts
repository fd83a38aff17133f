import { useEffect } from 'react'

// While somebody is busy with the cards of a gallery, none may move: what is pressed must be what was
// aimed at. The page itself tells whether that is so.

const grid = () => document.querySelector('.cards')

/** Whether the first row of the cards is above the window, or something is ticked. */
export const isInTheMiddle = (): boolean =>
  (grid()?.getBoundingClientRect().top ?? 0) < 0 ||
  document.querySelector('form[data-picked]') !== null

/** Whether the user is busy with the cards: the same, or a mouse is over them. */
export const isBusyWithCards = (): boolean =>
  isInTheMiddle() || (matchMedia('(hover: hover)').matches && grid()?.matches(':hover') === true)

/** Calls `release` once the user is not busy with the cards any more, while something waits for that. */
export function useWhenDone(isWaiting: boolean, release: () => void): void {
  useEffect(() => {
    if (!isWaiting) return
    const check = () => {
      if (!isBusyWithCards()) release()
    }
    // Not `pointerover`: Firefox sends it before it counts the element that was left as such.
    const events = ['mouseover', 'scroll', 'change', 'click']
    for (const event of events) addEventListener(event, check, { passive: true })
    // The mouse may have left before this listened.
    check()
    return () => events.forEach((event) => removeEventListener(event, check))
  }, [isWaiting, release])
}
