import { Link } from '@remix-run/react'
import type { Pagination, VideoView } from '~/domain/videos/types'
import { paths } from '~/lib/paths'
import { VideoCard } from './video-card'

/** A page of a user's videos, newest first. */
export function Gallery({ videos, pagination }: { videos: VideoView[]; pagination: Pagination }) {
  const { page, limit, totalCount, totalPages } = pagination
  const first = (page - 1) * limit + 1
  return (
    <section aria-labelledby="gallery" className="space-y-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 id="gallery" className="text-lg font-semibold">
          Your Videos
        </h2>
        {totalCount > 0 && (
          <p className="text-sm tabular-nums text-soft">
            Showing {first}-{first + videos.length - 1} of {totalCount} videos
          </p>
        )}
      </div>
      {videos.length === 0 ? (
        <p className="rounded-lg border border-dashed border-edge p-10 text-center text-soft">
          No videos generated yet. Create your first video above!
        </p>
      ) : (
        <ul className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {videos.map((video) => (
            <li key={video.id}>
              <VideoCard video={video} />
            </li>
          ))}
        </ul>
      )}
      {totalPages > 1 && (
        <nav aria-label="Pages" className="flex gap-4 text-sm">
          {page > 1 && <Link to={`${paths.app}?page=${page - 1}`}>Previous</Link>}
          {page < totalPages && <Link to={`${paths.app}?page=${page + 1}`}>Next</Link>}
        </nav>
      )}
    </section>
  )
}
