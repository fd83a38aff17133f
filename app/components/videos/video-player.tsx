import type { AspectRatio, VideoView } from '~/domain/videos/types'
import { titleOf } from '~/domain/videos/video-names'
import { mediaVersion } from '~/lib/media-version'
import { RATIO_CLASS } from './ratio-class'

type Playable = Pick<
  VideoView,
  'prompt' | 'aspectRatio' | 'videoUrl' | 'thumbnailUrl' | 'completedAt' | 'regenerateCount'
> &
  Partial<Pick<VideoView, 'name'>>

/**
 * Maximum size of a player: on a page, and in a dialog with room for the content around it. A
 * portrait player's width follows from its height, so that there are no bars beside it.
 */
const SIZES = {
  page: {
    portrait: 'w-[min(100%,calc(70vh*9/16))]',
    landscape: 'w-full max-h-[70vh]',
  },
  dialog: {
    portrait: 'w-[min(100%,calc(max(12rem,min(70vh,92vh-18rem))*9/16))]',
    landscape: 'w-full max-h-[max(12rem,min(70vh,calc(92vh-13.5rem)))]',
  },
} as const satisfies Record<string, Record<AspectRatio, string>>

type PlayerProps = {
  video: Playable
  autoPlay?: boolean
  fit?: keyof typeof SIZES
  /** Called if the clip cannot be loaded. */
  onError?: () => void
}

/** Plays a finished video in its own aspect ratio, with the browser's controls. */
export function VideoPlayer(props: PlayerProps) {
  const { video, autoPlay = false, fit = 'page', onError } = props
  const { aspectRatio, videoUrl, thumbnailUrl, completedAt } = video
  if (videoUrl === null) return null
  const version = mediaVersion(video)
  return (
    // Generated clips have no speech to caption. The prompt beside the player describes them.
    // eslint-disable-next-line jsx-a11y/media-has-caption
    <video
      key={`${videoUrl} ${completedAt}`}
      controls
      playsInline
      onError={onError}
      autoPlay={autoPlay}
      muted={autoPlay}
      loop={autoPlay}
      preload="metadata"
      poster={thumbnailUrl === null ? undefined : thumbnailUrl + version}
      src={videoUrl + version}
      aria-label={`Video: ${titleOf(video).slice(0, 120)}`}
      className={`mx-auto rounded bg-film object-contain ${SIZES[fit][aspectRatio]} ${RATIO_CLASS[aspectRatio]}`}
    />
  )
}
