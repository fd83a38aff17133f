import { Link } from '@remix-run/react'
import { CircleCheck, CircleDashed, CircleX, RotateCw } from 'lucide-react'
import type { BatchProgress } from '~/domain/batches/types'
import { isWorthRetrying } from '~/domain/videos/failure-advice'
import { modelLabel } from '~/domain/videos/rules'
import type { VideoStatus, VideoView } from '~/domain/videos/types'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { buttonClass } from '../ui/button'
import { Card } from '../ui/card'
import { HoldNotes } from '../gallery/hold-notes'
import { MakingProgress, Still, useProgressOf } from '../gallery/making'
import type { LiveGallery } from '../gallery/use-live-gallery'
import { useHydrated } from '../ui/use-hydrated'
import { VideoPlaceholder, VideoPlayer } from '../videos/video-player'
import { BatchPanel } from './batch-on-demand'
import { STATUS_ID } from './use-started-batch'

type Props = {
  video: VideoView | null
  /** Seconds until the next poll of the video. Null if none is polled. */
  secondsLeft: number | null
  progress: BatchProgress | null
  now: Date
  live: LiveGallery
}

/** The current work, what happens next and when, and the finished video. */
export function WorkCard({ video, secondsLeft, progress, now, live }: Props) {
  const { timeZone } = live.quota
  const isBusy = video !== null || progress !== null
  return (
    <div
      id={STATUS_ID}
      // Scripts move the focus here.
      tabIndex={-1}
      // On phones, current or just finished work is above the forms. On wide screens it is beside
      // them.
      className={`md:scroll-mt-20 focus-visible:outline-offset-4 ${isBusy ? 'order-first lg:order-none' : ''}`}
    >
      <Card title="Status" className="h-fit">
        <div className="space-y-4">
          {progress && <BatchPanel progress={progress} now={now} timeZone={timeZone} />}
          {(video !== null || progress === null) && (
            <SinglePanel video={video} secondsLeft={secondsLeft} />
          )}
          <HoldNotes {...live} />
          {isBusy && live.isFailing && <Outage />}
          <div className={progress && video === null ? 'max-sm:hidden' : undefined}>
            <Player video={video} />
          </div>
        </div>
      </Card>
    </div>
  )
}

/** The gallery announces the failure, but on a phone it is far below. */
function Outage() {
  return (
    <p className="rounded border border-warn p-3 text-sm">
      There is no connection at the moment. Your videos are still being made, and this page keeps
      trying.
    </p>
  )
}

const STATES = {
  pending: { label: 'Generating', icon: CircleDashed, tone: 'text-accent' },
  generating: { label: 'Generating', icon: CircleDashed, tone: 'text-accent' },
  completed: { label: 'Completed', icon: CircleCheck, tone: 'text-good' },
  error: { label: 'Failed', icon: CircleX, tone: 'text-bad' },
} as const satisfies Record<VideoStatus, object>

const WHAT_NEXT = {
  pending: 'Queued. It will start on its own.',
  generating: 'Being made. This takes a few seconds to a few minutes.',
  completed: 'Ready to play and download.',
  error: 'An error occurred',
} as const satisfies Record<VideoStatus, string>

type SingleProps = Pick<Props, 'video' | 'secondsLeft'>

function SinglePanel({ video, secondsLeft }: SingleProps) {
  if (!video) {
    return (
      <p className="text-sm text-soft" aria-live="polite">
        <span className="font-medium text-ink">Idle.</span> Nothing is being made.
      </p>
    )
  }
  return <VideoPanel video={video} secondsLeft={secondsLeft} />
}

function VideoPanel({ video, secondsLeft }: SingleProps & { video: VideoView }) {
  const isHydrated = useHydrated()
  const shown = useProgressOf(video.id)
  const isMaking = video.status === 'generating'
  const { label, icon: Icon, tone } = STATES[video.status]
  // Without scripts there is no countdown.
  const isCounting = isHydrated && secondsLeft !== null
  return (
    <div className="space-y-1 text-sm">
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-2">
        <p aria-live="polite" className={`flex items-center gap-2 font-medium ${tone}`}>
          <Icon aria-hidden className="size-4" />
          {label}
        </p>
        {isCounting && (
          <span className="inline-flex items-center gap-1 rounded-full bg-sunken px-2 py-0.5 text-xs tabular-nums">
            <RotateCw aria-hidden className="size-3" />
            Refreshing in {secondsLeft}s
          </span>
        )}
      </div>
      <p dir="auto" className="break-words">
        {excerpt(video.prompt, 160)}
      </p>
      {isMaking && shown ? (
        <MakingProgress id={video.id} />
      ) : (
        <p className="text-soft">{video.errorMessage ?? WHAT_NEXT[video.status]}</p>
      )}
      {video.status === 'error' && <NextStep video={video} />}
      <p className="text-xs text-soft">
        {modelLabel(video.model)}, 720p, {video.aspectRatio === 'portrait' ? '9:16' : '16:9'}
      </p>
    </div>
  )
}

/**
 * The next step after a failure: the prompt back in the box, or the video's page with its Retry.
 */
function NextStep({ video: { id, errorCode } }: { video: VideoView }) {
  const isSame = isWorthRetrying(errorCode ?? 'unknown')
  const address = isSame ? paths.video(id) : paths.writeLike(id)
  return (
    <Link
      to={address}
      className="inline-flex min-h-11 items-center font-medium underline underline-offset-4"
    >
      {isSame ? 'Retry it' : 'Change the prompt'}
    </Link>
  )
}

function Player({ video }: Pick<Props, 'video'>) {
  if (!video?.videoUrl) {
    const ratio = video?.aspectRatio ?? 'landscape'
    return (
      <VideoPlaceholder aspectRatio={ratio} text="Your video will appear here">
        {video && <Still id={video.id} className="bg-sunken object-contain" />}
      </VideoPlaceholder>
    )
  }
  return (
    <div className="space-y-3">
      <VideoPlayer video={video} />
      <a href={paths.api.download(video.id)} download className={buttonClass('plain', 'w-full')}>
        Download Video
      </a>
    </div>
  )
}
