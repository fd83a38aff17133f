import { Link } from '@remix-run/react'
import { CELLS, type BatchVideo } from '~/domain/batches/types'
import { isWorthRetrying } from '~/domain/videos/failure-advice'
import { titleOf } from '~/domain/videos/video-names'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { Icon } from '~/components/ui/icon'
import { textLinkClass } from '~/components/ui/text-link'
import { BatchPoster } from '~/components/batches/batch-poster'
import { areMixed } from '~/components/videos/ratio-class'

const GRIDS = {
  portrait: 'grid-cols-3 tiny:grid-cols-2 sm:grid-cols-4 lg:grid-cols-5 xl:grid-cols-6',
  landscape: 'grid-cols-2 tiny:grid-cols-1 lg:grid-cols-3 xl:grid-cols-4',
} as const

/** The videos of a batch in the order of its prompts. Each leads to its page. */
export function BatchVideos({ videos }: { videos: readonly BatchVideo[] }) {
  const grid = GRIDS[videos[0]?.aspectRatio ?? 'portrait']
  return (
    <div className="cards-room">
      <ol className={areMixed(videos) ? 'cards-mixed' : `grid gap-x-3 gap-y-5 ${grid}`}>
        {videos.map((video) => (
          <li key={video.id} data-frame={video.aspectRatio} className="min-w-0">
            <article className="space-y-1.5">
              <Link
                to={paths.video(video.id)}
                aria-label={`Open ${video.place}: ${excerpt(titleOf(video), 60)}`}
                className="card-frame block text-film-on"
              >
                <Frame video={video} />
              </Link>
              {video.name && (
                <p dir="auto" className="truncate text-sm font-semibold">
                  {video.name}
                </p>
              )}
              <h3 dir="auto" className="line-clamp-2 break-words text-sm font-normal">
                {video.prompt}
              </h3>
              <State video={video} />
            </article>
          </li>
        ))}
      </ol>
    </div>
  )
}

function Frame({ video }: { video: BatchVideo }) {
  return (
    <>
      {video.hasPoster ? (
        <BatchPoster id={video.id} version={video} />
      ) : (
        <span className="flex size-full items-center justify-center">
          <Icon name={video.cell === 'f' ? 'circle-alert' : 'film'} className="size-7 opacity-60" />
        </span>
      )}
      <span
        aria-hidden
        className="absolute left-1 top-1 rounded-sm bg-film/80 px-1.5 text-xs tabular-nums"
      >
        {video.place}
      </span>
    </>
  )
}

/** What is not plainly finished: the state, and for a failure its reason and the next step. */
function State({ video: { id, cell, errorMessage, errorCode } }: { video: BatchVideo }) {
  if (cell === 'd') return null
  if (cell !== 'f') return <p className="text-xs text-soft">{CELLS[cell]}</p>
  const isSame = isWorthRetrying(errorCode ?? 'unknown')
  return (
    <div className="text-xs">
      <p className="line-clamp-4 break-words text-bad">{errorMessage ?? 'Failed'}</p>
      <Link
        to={isSame ? paths.video(id) : paths.writeLike(id)}
        className={`${textLinkClass} font-medium`}
      >
        {isSame ? 'Retry it' : 'Edit first'}
      </Link>
    </div>
  )
}
