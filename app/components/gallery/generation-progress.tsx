import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { progressOf, type Shown } from '~/domain/videos/gallery/shown-progress'
import type { UnderWay } from '~/domain/videos/gallery/pulse'
import { paths } from '~/lib/paths'
import { ClockTime } from '../ui/clock-time'
import { Progress } from '../ui/progress'

type Value = Pick<UnderWay, 'making' | 'usualMs'>

// Separate from the gallery's context, because it changes every few seconds and only cards of
// videos that are being made read it.
const ProgressContext = createContext<Value>({ making: [], usualMs: 0 })

type ProviderProps = Value & { children: ReactNode }

/** Provides the progress of videos that are being made to the cards and panels inside. */
export function GenerationProgressProvider({ making, usualMs, children }: ProviderProps) {
  const value = useMemo(() => ({ making, usualMs }), [making, usualMs])
  return <ProgressContext.Provider value={value}>{children}</ProgressContext.Provider>
}

function useGenerationProgress(id: string) {
  const { making, usualMs } = useContext(ProgressContext)
  return { own: making.find((one) => one.id === id), usualMs }
}

/** Returns the progress of a video, or null if it is unknown. */
export function useProgressOf(id: string): Shown | null {
  const { own, usualMs } = useGenerationProgress(id)
  return own ? progressOf(own, usualMs) : null
}

/** Shows what has been made of a video so far, if there is a picture of it. Fills its parent. */
export function Still({ id, className = '' }: { id: string; className?: string }) {
  const { own } = useGenerationProgress(id)
  return own?.hasStill ? (
    <img
      src={paths.media(id, 'still.jpg')}
      alt=""
      className={`absolute inset-0 size-full ${className}`}
    />
  ) : null
}

/** What is shown for an order without a response, in place of a progress that nobody knows. */
const Checking = ({ until }: { until: string }) => (
  <>
    Being checked with the provider until <ClockTime instant={until} />
  </>
)

/** A bar with the progress of a video, or nothing if it is unknown. */
export function GenerationProgressBar({ id }: { id: string }) {
  const shown = useProgressOf(id)
  const until = useGenerationProgress(id).own?.checkedUntil
  if (until) {
    return (
      <p className="py-1 text-sm text-soft">
        <Checking until={until} />
      </p>
    )
  }
  return shown ? (
    <div className="space-y-1.5 py-1 text-sm">
      <Progress label="This video" percent={shown.percent} />
      <p className="tabular-nums text-soft">{shown.text}</p>
    </div>
  ) : null
}

/** Shown in a card while its video is being made. */
export function GenerationNote({ id }: { id: string }) {
  const shown = useProgressOf(id)
  const until = useGenerationProgress(id).own?.checkedUntil
  if (until) {
    return (
      <div className="relative space-y-1.5">
        <p>Generating...</p>
        <p className="text-xs">
          <Checking until={until} />
        </p>
      </div>
    )
  }
  if (!shown) return <p>Generating...</p>
  return (
    <div className="bar-on-film relative w-full max-w-40 space-y-1.5 tabular-nums">
      <p>Generating...</p>
      <Progress label="This video" percent={shown.percent} />
      <p className="text-xs">{shown.text}</p>
    </div>
  )
}
