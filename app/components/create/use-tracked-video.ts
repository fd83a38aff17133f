import { useRevalidator } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import type { VideoView } from '~/domain/videos/types'
import { paths } from '~/lib/paths'
import { showToast } from '../ui/toasts'

/** The countdown badge starts here; at zero the video is asked about (specification §9). */
const COUNTDOWN_SECONDS = 3

const isRunning = (video: VideoView | null) =>
  video?.status === 'pending' || video?.status === 'generating'

type Told = {
  /** The video is there to be watched. */
  onReady: (video: VideoView) => void
  /** Called for every answer about it. */
  onHeaders: (headers: Headers) => void
}

/**
 * Follows one video: every three seconds its status is asked for, and when it ends the user is told
 * and `onReady` opens it. Nothing is asked while the tab is hidden.
 */
export function useTrackedVideo(
  given: VideoView | null,
  { onReady, onHeaders }: Told,
): { video: VideoView | null; secondsLeft: number | null } {
  const [polled, setPolled] = useState<VideoView | null>(null)
  const [secondsLeft, setSecondsLeft] = useState(COUNTDOWN_SECONDS)
  const { revalidate } = useRevalidator()
  const running = useRef<string>()
  const told = useRef({ onReady, onHeaders, revalidate })
  told.current = { onReady, onHeaders, revalidate }
  // A page that was loaded anew knows better, unless the video has ended and is no longer given.
  const video = given ?? (polled && !isRunning(polled) ? polled : null)
  const id = isRunning(video) ? video?.id : undefined

  useEffect(() => {
    if (id === undefined) return
    let left = COUNTDOWN_SECONDS
    setSecondsLeft(left)
    const timer = setInterval(() => {
      if (document.hidden) return
      left = left > 1 ? left - 1 : COUNTDOWN_SECONDS
      setSecondsLeft(left)
      if (left !== COUNTDOWN_SECONDS) return
      void askStatus(id, told.current.onHeaders).then((news) => {
        if (!news) return
        // Deleted elsewhere: the page knows what there is instead.
        if (news === 'gone') return told.current.revalidate()
        setPolled(news)
        // Sent, or sent back: the page may know a reason.
        if (isRunning(news) && news.status !== given?.status) told.current.revalidate()
      })
    }, 1000)
    return () => clearInterval(timer)
  }, [id, given?.status])

  const latest = polled?.id === (id ?? running.current) ? polled : null
  const ended = latest && !isRunning(latest) ? latest : null
  const shown = id !== undefined && ended ? ended : video
  useEffect(() => {
    if (id !== undefined && !ended) running.current = id
    if (!shown || isRunning(shown) || running.current !== shown.id) return
    running.current = undefined
    told.current.revalidate()
    announce(shown)
    if (shown.videoUrl !== null && shown.errorMessage === null) told.current.onReady(shown)
  }, [id, ended, shown])
  return { video: shown, secondsLeft: id === undefined || ended ? null : secondsLeft }
}

async function askStatus(
  id: string,
  onHeaders: (headers: Headers) => void,
): Promise<VideoView | 'gone' | null> {
  const response = await fetch(paths.api.status(id)).catch(() => null)
  if (response?.status === 404) return 'gone'
  if (!response?.ok) return null
  onHeaders(response.headers)
  const answer: unknown = await response.json()
  return isVideo(answer) ? answer : null
}

function isVideo(value: unknown): value is VideoView {
  return typeof value === 'object' && value !== null && 'id' in value && 'videoUrl' in value
}

function announce({ status, errorMessage }: VideoView): void {
  if (status === 'completed' && errorMessage === null) {
    showToast({ kind: 'success', title: 'Video ready!' })
  } else {
    const description = errorMessage ?? 'An error occurred'
    showToast({ kind: 'error', title: 'Generation failed', description })
  }
}
