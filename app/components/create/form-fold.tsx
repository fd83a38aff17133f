import { useEffect, useRef, type ReactNode } from 'react'
import { PhoneFold } from '../ui/phone-fold'
import { scrollToStatus } from './use-started-batch'

type Props = {
  /** The work that the form has just started. Null while the form is to be filled in. */
  started: string | null
  children: ReactNode
}

/**
 * The form on a phone. It is folded after it has started something, and the status card comes into
 * view, but stays open while the user is typing the next prompt.
 */
export function FormFold({ started, children }: Props) {
  const details = useRef<HTMLDetailsElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const seen = useRef(started)
  useEffect(() => {
    if (seen.current === started || !details.current) return
    seen.current = started
    const focused = document.activeElement
    const isInside = body.current?.contains(focused) === true
    if (started !== null && isInside && focused?.matches('textarea, input')) return
    details.current.open = started === null
    // The button that was pressed is now hidden, so the focus moves to the summary that unfolds the
    // form.
    if (started !== null && isInside) {
      details.current.querySelector('summary')?.focus({ preventScroll: true })
    }
    // The status card is above the form, and the button was at the form's foot. On wide screens
    // nothing is folded, and the page does not move.
    const isOnPhone = details.current.offsetParent !== null
    if (started !== null && isOnPhone) scrollToStatus()
  }, [started])
  return (
    <PhoneFold label="Create more videos" isOpen={started === null} details={details}>
      <div ref={body} className="space-y-4">
        {children}
      </div>
    </PhoneFold>
  )
}
