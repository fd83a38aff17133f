import { NavigationType, useNavigationType, useSearchParams } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/** Id of the status card, also for links. */
export const STATUS_ID = 'status'

/** Below this width the form for one video is a bar, and the status is at the top of the page. */
const PHONE = '(max-width: 767px)'

/**
 * Brings the status card into view after the page has started something that is shown a screen away.
 * A batch also gets the focus; after a single the focus stays at the button. A user who is typing the
 * next prompt is not moved.
 */
export function useStartedWork({ hasFailed }: { hasFailed: boolean }): void {
  const [search] = useSearchParams()
  const batch = search.get('batch')
  const started = hasFailed ? null : (batch ?? search.get('watch'))
  const isLoaded = useNavigationType() === NavigationType.Pop
  // Work that was in the URL when the page was loaded was started earlier.
  const seen = useRef(isLoaded ? started : null)
  useEffect(() => {
    if (started === null || seen.current === started) return
    seen.current = started
    const status = document.getElementById(STATUS_ID)
    if (!status) return
    if (batch !== null) status.focus({ preventScroll: true })
    else if (!matchMedia(PHONE).matches || isTyping()) return
    status.scrollIntoView({ block: 'start' })
  }, [started, batch])
}

const isTyping = () => document.activeElement?.matches('textarea, input') === true
