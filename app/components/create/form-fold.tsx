import { useEffect, useRef, type ReactNode } from 'react'
import { PhoneFold } from '../ui/phone-fold'

type Props = {
  /** The work that the form has just started. Null while the form is to be filled in. */
  started: string | null
  children: ReactNode
}

/**
 * The form on a phone. It is folded after it has started something, so that the videos are in view,
 * but stays open while the user is typing the next prompt.
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
  }, [started])
  return (
    <PhoneFold label="Create more videos" isOpen={started === null} details={details}>
      <div ref={body} className="space-y-4">
        {children}
      </div>
    </PhoneFold>
  )
}
