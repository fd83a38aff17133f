import { Film } from 'lucide-react'
import type { AspectRatio, VideoView } from '~/domain/videos/types'

export const RATIO_CLASS = {
  portrait: 'aspect-[9/16]',
  landscape: 'aspect-[16/9]',
} as const satisfies Record<AspectRatio, string>

type Playable = Pick<
  VideoView,
  'prompt' | 'aspectRatio' | 'videoUrl' | 'thumbnailUrl' | 'completedAt'
>

/** A finished video in its true ratio, with the browser's own controls. */
export function VideoPlayer({ video, autoPlay = false }: { video: Playable; autoPlay?: boolean }) {
  if (video.videoUrl === null) return null
  return (
    // Generated clips carry no speech to caption; the prompt beside the player says what they show.
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
      className={`mx-auto max-h-[70vh] w-full rounded bg-film object-contain ${RATIO_CLASS[video.aspectRatio]}`}
    />
  )
}

/** Where a video will be, in the ratio it will have. */
export function VideoPlaceholder({
  aspectRatio,
  text,
}: {
  aspectRatio: AspectRatio
  text: string
}) {
  return (
    <div
      className={`mx-auto flex max-h-[50vh] w-full flex-col items-center justify-center gap-3 rounded bg-sunken p-6 text-center text-sm text-soft ${RATIO_CLASS[aspectRatio]}`}
    >
      <Film aria-hidden className="size-8" />
      {text}
    </div>
  )
}
