import { useEffect, useRef } from 'react'

/** At most one request per this time, however often the user changes windows. */
const AGAIN_AFTER_MS = 3000

/**
 * Calls `onReturn` when the user comes back to the page from another window, tab or app, unless there is no
 * connection.
 */
export function useReturn(onReturn: () => void): void {
  const latest = useRef(onReturn)
  useEffect(() => {
    latest.current = onReturn
  })
  useEffect(() => {
    let calledAt = Date.now()
    const look = () => {
      if (!navigator.onLine || document.hidden || Date.now() - calledAt < AGAIN_AFTER_MS) return
      calledAt = Date.now()
      latest.current()
    }
    addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
}
