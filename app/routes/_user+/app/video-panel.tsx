import { Link } from '@remix-run/react'
import { useState } from 'react'
import { isWorthRetrying } from '~/domain/videos/failure-advice'
import { isInProgress, mayBePicture, modelLabel } from '~/domain/videos/rules'
import type { VideoStatus, VideoView } from '~/domain/videos/types'
import { titleOf } from '~/domain/videos/video-names'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import {
  GenerationProgressBar,
  Still,
  useProgressOf,
} from '~/components/gallery/generation-progress'
import { buttonClass } from '~/components/ui/button'
import { Icon } from '~/components/ui/icon'
import { textLinkClass } from '~/components/ui/text-link'
import { useAppBadge } from '~/components/ui/use-app-badge'
import { useHydrated } from '~/components/ui/use-hydrated'
import { VideoPlaceholder } from '~/components/videos/video-placeholder'
import { VideoPlayer } from '~/components/videos/video-player'
import { NO_VIDEO, VIDEO_PANEL_ID } from './video-names'

const STATES = {
  pending: { label: 'Generating', icon: 'circle-dashed', tone: 'text-accent' },
  generating: { label: 'Generating', icon: 'circle-dashed', tone: 'text-accent' },
  completed: { label: 'Completed', icon: 'circle-check', tone: 'text-good' },
  error: { label: 'Failed', icon: 'circle-x', tone: 'text-bad' },
} as const satisfies Record<VideoStatus, object>

const WHAT_NEXT = {
  pending: 'Queued. It will start on its own.',
  generating: 'Being made. This takes a few seconds to a few minutes.',
  completed: 'Ready to play and download.',
  error: 'An error occurred',
} as const satisfies Record<VideoStatus, string>

type Props = {
  video: VideoView
  /** Seconds until the next poll of the video. Null if it is not polled. */
  secondsLeft: number | null
  /** Whether it is the user's first finished video. */
  isFirst: boolean
  resolution: string
}

/** The state of the followed video, and what happens next. */
export function VideoPanel({ video, secondsLeft, isFirst, resolution }: Props) {
  const isHydrated = useHydrated()
  const shown = useProgressOf(video.id)
  const isMaking = video.status === 'generating'
  const { label, icon, tone } = STATES[video.status]
  // Without scripts there is no countdown.
  const isCounting = isHydrated && secondsLeft !== null
  useAppBadge('video', isInProgress(video) ? 1 : 0)
  return (
    <div id={VIDEO_PANEL_ID} className="space-y-1 text-sm">
      <p
        aria-live="polite"
        className={`flex min-h-6 items-center gap-2 text-base font-semibold ${tone}`}
      >
        <Icon name={icon} className="size-4" />
        {label}
      </p>
      <p dir="auto" className="break-words">
        {excerpt(titleOf(video), 160)}
      </p>
      {/* As high in each state, so that what is below does not move. */}
      <div className="min-h-11">
        {isMaking && shown ? (
          <GenerationProgressBar id={video.id} />
        ) : (
          <p className="text-soft">{video.errorMessage ?? WHAT_NEXT[video.status]}</p>
        )}
      </div>
      {video.status === 'error' && <NextStep video={video} />}
      {video.status === 'completed' && isFirst && (
        <p>
          Your first video!{' '}
          <Link to={paths.create('bulk')} preventScrollReset className={textLinkClass}>
            Now make up to 100 at once
          </Link>
        </p>
      )}
      <p className="text-xs text-soft">
        {modelLabel(video.model)}, {resolution},{' '}
        {video.aspectRatio === 'portrait' ? '9:16' : '16:9'}
      </p>
      {isCounting && (
        <span className="inline-flex items-center gap-1 rounded-full bg-sunken px-2 py-0.5 text-xs tabular-nums">
          <Icon name="rotate-cw" className="size-3" />
          Refreshing in {secondsLeft}s
        </span>
      )}
    </div>
  )
}

/**
 * The next step after a failure: the prompt back in the box, or the video's page with its Retry.
 */
function NextStep({ video }: { video: VideoView }) {
  const { id, errorCode } = video
  const change = mayBePicture(video) ? 'Change the prompt or the picture' : 'Change the prompt'
  const isSame = isWorthRetrying(errorCode ?? 'unknown')
  const address = isSame ? paths.video(id) : paths.writeLike(id)
  return (
    <Link to={address} className={`${textLinkClass} font-medium`}>
      {isSame ? 'Retry it' : change}
    </Link>
  )
}

/** The finished video, or what has been made of it so far. It develops before the user's eyes. */
export function VideoPicture({ video }: Pick<Props, 'video'>) {
  const [wasMaking] = useState(video.videoUrl === null)
  if (!video.videoUrl) {
    return (
      <VideoPlaceholder aspectRatio={video.aspectRatio} text={NO_VIDEO}>
        <Still id={video.id} className="bg-sunken object-contain" />
      </VideoPlaceholder>
    )
  }
  return (
    <div className={`space-y-3 ${wasMaking ? 'developing' : ''}`}>
      <VideoPlayer video={video} />
      <a
        href={paths.api.download(video.id)}
        download
        className={buttonClass('plain', 'w-full !px-1')}
      >
        Download Video
      </a>
    </div>
  )
}
