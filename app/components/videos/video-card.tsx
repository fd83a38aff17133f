import { Link } from '@remix-run/react'
import type { VideoView } from '~/domain/videos/types'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { dayAndTime } from '~/lib/time'
import { STATUS_WORDS } from './status-words'
import { RATIO_CLASS } from './video-player'

/** A video in the gallery: a poster in a frame of the true ratio, never a player. */
export function VideoCard({ video }: { video: VideoView }) {
  const { label, icon: Icon, tone } = STATUS_WORDS[video.status]
  return (
    <article className="overflow-hidden rounded-lg border border-line bg-surface">
      <Link
        to={paths.video(video.id)}
        className="block"
        aria-label={`Open: ${excerpt(video.prompt, 60)}`}
      >
        <div className="flex h-64 items-center justify-center bg-film">
          <div
            className={`relative max-h-full ${video.aspectRatio === 'portrait' ? 'h-full' : 'w-full'} ${RATIO_CLASS[video.aspectRatio]}`}
          >
            {video.thumbnailUrl ? (
              <img
                src={video.thumbnailUrl}
                alt=""
                loading="lazy"
                className="size-full object-cover"
              />
            ) : (
              <div className="flex size-full items-center justify-center border border-dashed border-edge/40">
                <Icon aria-hidden className="size-8 text-edge" />
              </div>
            )}
          </div>
        </div>
      </Link>
      <div className="space-y-2 p-3 text-sm">
        <p className="line-clamp-2 break-words">{excerpt(video.prompt, 200)}</p>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className={`inline-flex items-center gap-1.5 font-medium ${tone}`}>
            <Icon aria-hidden className="size-4" />
            {label}
          </span>
          <time dateTime={video.createdAt} className="text-xs text-soft">
            {dayAndTime(video.createdAt)}
          </time>
        </div>
        {video.errorMessage && <p className="text-soft">{video.errorMessage}</p>}
      </div>
    </article>
  )
}
