import { useEffect } from 'react'

const parts = new Map<string, number>()

/**
 * Shows on the icon of the installed app how many videos are still to come, as long as this page is
 * open: nothing could take the number away later. The numbers of all names on a page are added.
 */
export function useAppBadge(name: 'batch' | 'video', left: number): void {
  useEffect(() => {
    parts.set(name, left)
    show()
    const leave = () => {
      parts.delete(name)
      show()
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [name, left])
}

function show(): void {
  if (!('setAppBadge' in navigator)) return
  const left = [...parts.values()].reduce((sum, one) => sum + one, 0)
  const shown = left > 0 ? navigator.setAppBadge(left) : navigator.clearAppBadge()
  // A page that is not installed has no icon.
  shown.catch(() => undefined)
}

// A page that was killed may have left its number. This file is loaded at the first touch of a page.
if (typeof document !== 'undefined') show()
