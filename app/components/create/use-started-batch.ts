import { NavigationType, useNavigationType, useSearchParams } from '@remix-run/react'
import { useEffect } from 'react'

/** Of the status card, for links too. */
export const STATUS_ID = 'status'

/**
 * Whoever has started a batch is led to its progress: the card comes into sight and has the focus,
 * for the form that was sent may be a screen away from it.
 */
export function useStartedBatch(): void {
  const batch = useSearchParams()[0].get('batch')
  const isLoaded = useNavigationType() === NavigationType.Pop
  useEffect(() => {
    if (batch === null || isLoaded) return
    const card = document.getElementById(STATUS_ID)
    card?.focus({ preventScroll: true })
    card?.scrollIntoView({ block: 'start' })
  }, [batch, isLoaded])
}
