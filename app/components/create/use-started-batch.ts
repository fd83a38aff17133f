import { NavigationType, useNavigationType, useSearchParams } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/** Of the status card, for links too. */
export const STATUS_ID = 'status'

/**
 * Leads to the progress of a batch that was just started: the card comes into sight and has the focus,
 * for the form that was sent may be a screen away from it.
 */
export function useStartedBatch(): void {
  const batch = useSearchParams()[0].get('batch')
  const isLoaded = useNavigationType() === NavigationType.Pop
  // A batch that was in the address when the page was loaded has been started before.
  const seen = useRef(isLoaded ? batch : null)
  useEffect(() => {
    if (batch === null || seen.current === batch) return
    seen.current = batch
    const card = document.getElementById(STATUS_ID)
    card?.focus({ preventScroll: true })
    card?.scrollIntoView({ block: 'start' })
  }, [batch])
}
