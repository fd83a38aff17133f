import { NavigationType, useNavigationType, useSearchParams } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/** Id of the status card, also for links. */
export const STATUS_ID = 'status'

/** Brings the status card to the top of the window, under the page's bar. */
export function scrollToStatus(): void {
  document.getElementById(STATUS_ID)?.scrollIntoView({ block: 'start' })
}

/**
 * Scrolls to the progress of a batch that was just started and moves the focus there, because the
 * submitted form may be a screen away.
 */
export function useStartedBatch(): void {
  const batch = useSearchParams()[0].get('batch')
  const isLoaded = useNavigationType() === NavigationType.Pop
  // A batch that was in the URL when the page was loaded was started earlier.
  const seen = useRef(isLoaded ? batch : null)
  useEffect(() => {
    if (batch === null || seen.current === batch) return
    seen.current = batch
    document.getElementById(STATUS_ID)?.focus({ preventScroll: true })
    scrollToStatus()
  }, [batch])
}
