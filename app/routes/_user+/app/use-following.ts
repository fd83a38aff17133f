import { useEffect, useRef, useState } from 'react'
import type { BatchView } from '~/domain/batches/types'
import { trackedOf, type Work } from '~/domain/batches/work'
import { readPulse } from '~/domain/videos/gallery/pulse'
import { isInProgress } from '~/domain/videos/rules'
import { paths } from '~/lib/paths'
import type { LiveGallery } from '~/components/gallery/use-live-gallery'
import { usePolling } from '~/components/ui/use-polling'

/** Start of the countdown badge. At zero the video is polled (specification §9). */
const COUNTDOWN_SECONDS = 3
const BATCHES_MS = 3000

/**
 * The polls of the create screen: the running batch and the followed video are polled every three
 * seconds. The responses only tell whether something changed; the data shown comes from the live
 * gallery. Returns the seconds until the next poll of the video, or null if none is polled.
 */
export function useFollowing(
  work: Work,
  { notice, catchUp }: Pick<LiveGallery, 'notice' | 'catchUp'>,
): number | null {
  const onHeaders = (headers: Headers) => notice(readPulse(headers))
  const batch = work.progress?.batch
  usePolling<BatchView[]>({
    url: () => paths.api.batches,
    everyMs: BATCHES_MS,
    isActive: batch?.status === 'processing',
    onHeaders,
    // The estimate moves with the clock, which is not a change of the gallery.
    onAnswer: (batches) => {
      const now = batches.find(({ id }) => id === batch?.id)
      if (batch && now && !isSame(now, batch)) catchUp()
    },
  })
  const tracked = trackedOf(work)
  const id = tracked && isInProgress(tracked) ? tracked.id : null
  const ask = usePolling({
    url: () => paths.api.status(id ?? ''),
    everyMs: COUNTDOWN_SECONDS * 1000,
    // The countdown triggers each poll.
    isActive: false,
    onHeaders,
    onGone: catchUp,
  })
  return useCountdown(id, ask)
}

/** Counts down repeatedly while there is a video to poll, and polls at zero. */
function useCountdown(id: string | null, ask: () => Promise<void>): number | null {
  const [left, setLeft] = useState(COUNTDOWN_SECONDS)
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  useEffect(() => {
    if (id === null) return
    let seconds = COUNTDOWN_SECONDS
    setLeft(seconds)
    const timer = setInterval(() => {
      if (document.hidden) return
      seconds = seconds > 1 ? seconds - 1 : COUNTDOWN_SECONDS
      setLeft(seconds)
      if (seconds === COUNTDOWN_SECONDS) void latest.current()
    }, 1000)
    return () => clearInterval(timer)
  }, [id])
  return id === null ? null : left
}

const isSame = (a: BatchView, b: BatchView): boolean =>
  JSON.stringify(toTheMinute(a)) === JSON.stringify(toTheMinute(b))

const toTheMinute = (batch: BatchView) => ({
  ...batch,
  finishEstimate: batch.finishEstimate?.slice(0, 'YYYY-MM-DDTHH:MM'.length),
})
