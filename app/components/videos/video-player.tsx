import { Film } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AspectRatio, VideoView } from '~/domain/videos/types'

const RATIO_CLASS = {
  portrait: 'aspect-[9/16]',
  landscape: 'aspect-[16/9]',
} as const satisfies Record<AspectRatio, string>

type Playable = Pick<
  VideoView,
  'prompt' | 'aspectRatio' | 'videoUrl' | 'thumbnailUrl' | 'completedAt'
>

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
    portrait: 'w-[min(100%,calc(max(12rem,min(70vh,92vh-13.5rem))*9/16))]',
    landscape: 'w-full max-h-[max(12rem,min(70vh,calc(92vh-13.5rem)))]',
  },
} as const satisfies Record<string, Record<AspectRatio, string>>

type PlayerProps = { video: Playable; autoPlay?: boolean; fit?: keyof typeof SIZES }

/** Plays a finished video in its own aspect ratio, with the browser's controls. */
export function VideoPlayer({ video, autoPlay = false, fit = 'page' }: PlayerProps) {
  if (video.videoUrl === null) return null
  const { aspectRatio } = video
  return (
    // Generated clips have no speech to caption. The prompt beside the player describes them.
    // eslint-disable-next-line jsx-a11y/media-has-caption
    <video
      key={video.completedAt}
      controls
      playsInline
      autoPlay={autoPlay}
      muted={autoPlay}
      loop={autoPlay}
      preload="metadata"
      poster={video.thumbnailUrl ?? undefined}
      src={video.videoUrl}
      aria-label={`Video: ${video.prompt.slice(0, 120)}`}
      className={`mx-auto rounded bg-film object-contain ${SIZES[fit][aspectRatio]} ${RATIO_CLASS[aspectRatio]}`}
    />
  )
}

type PlaceholderProps = {
  aspectRatio: AspectRatio
  text: string
  /** Covers the text. */
  children?: ReactNode
}

/** The place of a video that does not exist yet, in its aspect ratio. */
export function VideoPlaceholder({ aspectRatio, text, children }: PlaceholderProps) {
  return (
    <div
      className={`relative mx-auto flex max-h-[50vh] w-full max-lg:max-h-48 flex-col items-center justify-center gap-3 rounded bg-sunken p-6 text-center text-sm text-soft ${RATIO_CLASS[aspectRatio]}`}
    >
      <Film aria-hidden className="size-8" />
      {text}
      {children}
    </div>
  )
}
