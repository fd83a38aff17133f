import { useRevalidator } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import type { Hold } from '~/domain/videos/holds'

/** A try takes a moment before its outcome shows. */
const AFTER_MS = 2000
const AT_LEAST_MS = 5000

/** Looks again once the next try of what is on hold has been made. */
export function useRetryLook(holds: readonly Hold[]): void {
  const { revalidate } = useRevalidator()
  const look = useRef(revalidate)
  look.current = revalidate
  const [soonest] = holds.flatMap(({ nextTryAt }) => nextTryAt ?? []).sort()
  useEffect(() => {
    if (soonest === undefined) return
    const waitMs = Math.max(AT_LEAST_MS, Date.parse(soonest) - Date.now() + AFTER_MS)
    const timer = setTimeout(() => {
      if (!document.hidden) look.current()
    }, waitMs)
    return () => clearTimeout(timer)
  }, [holds, soonest])
}
