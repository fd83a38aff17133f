import { useEffect, useRef, type ReactNode } from 'react'
import { PhoneFold } from '../ui/phone-fold'

type Props = {
  /** What the form has just started; null while it is there to be filled. */
  started: string | null
  children: ReactNode
}

/**
 * The form on a phone: folded once it has started something, so that the videos are in sight. It stays
 * open while the next prompt is being typed.
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
    // What was pressed is out of sight now, so the focus goes to what brings it back.
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
