import type { ReactNode } from 'react'

type Props = {
  /** Tells the user what is missing. */
  text: string
  /** A link or button for the next step. */
  children?: ReactNode
}

/** The placeholder of an empty list: an empty film strip, a sentence and the next step. */
export function EmptyState({ text, children }: Props) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-lg border border-dashed border-edge/60 px-6 py-12 text-center">
      <div aria-hidden className="space-y-1 rounded-sm bg-film px-2 py-1">
        <div className="sprockets" />
        <div className="flex gap-1.5">
          {[0, 1, 2].map((frame) => (
            <span key={frame} className="h-12 w-8 rounded-sm bg-film-on/15" />
          ))}
        </div>
        <div className="sprockets" />
      </div>
      <p className="max-w-prose text-soft">{text}</p>
      {children}
    </div>
  )
}
