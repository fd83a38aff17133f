import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ButtonLink } from './button'
import { Card } from './card'
import { CopyButton } from './copy-button'
import { useLatest } from './use-latest'

type Props = {
  title: string
  /** The secret of the response; null: it has none. */
  value: string | null
  /** What it is for, and that it is shown only now. */
  text: ReactNode
  copyLabel: string
  /** The page itself, without the secret. */
  page: string
  /** How the secret looks on the page. */
  children: (value: string) => ReactNode
}

/**
 * A secret that the server sends only once. With scripts it comes into view, and stays until the user says
 * that it is saved, whatever else is done on the page; without scripts it stands in the response alone.
 */
export function ShownOnce({ title, value, text, copyLabel, page, children }: Props) {
  const latest = useLatest(value)
  const [saved, setSaved] = useState<string | null>(null)
  const shown = latest === saved ? null : latest
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'start' })
    place.current?.focus({ preventScroll: true })
  }, [shown])
  if (shown === null) return null
  return (
    <div ref={place} tabIndex={-1} className="scroll-mt-20">
      <Card title={title}>
        <p className="mb-4 rounded border border-warn px-3 py-2 text-sm text-warn">{text}</p>
        {children(shown)}
        <div className="mt-4 flex flex-wrap gap-2">
          <CopyButton text={shown} label={copyLabel} isLabelShown look="plain" />
          <ButtonLink to={page} onClick={() => setSaved(shown)}>
            I have saved it
          </ButtonLink>
        </div>
      </Card>
    </div>
  )
}
