import { Link } from '@remix-run/react'
import type { CollectionSummary } from '~/domain/videos/collections'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { BatchPoster } from '../batches/batch-poster'
import { DayTime } from '../ui/day-time'
import { CollectionActions } from './collection-actions'

/** A collection in the list: its first poster, its name, and how many clips it has. */
export function CollectionCard({ collection }: { collection: CollectionSummary }) {
  const { id, name, clips, poster, createdAt } = collection
  return (
    <article className="flex gap-3 rounded-lg border border-line bg-surface p-3 sm:gap-5 sm:p-4">
      <Link
        to={paths.collection(id)}
        aria-hidden
        tabIndex={-1}
        className="block aspect-[3/4] w-16 shrink-0 self-start overflow-hidden rounded-sm bg-film sm:w-20"
      >
        {poster !== null && <BatchPoster id={poster} />}
      </Link>
      <div className="min-w-0 grow space-y-3">
        <div className="space-y-1">
          <h2 className="min-w-0 text-base font-semibold [overflow-wrap:anywhere]">
            <Link
              to={paths.collection(id)}
              className="-my-2.5 inline-block py-2.5 underline-offset-4 hover:underline"
            >
              <bdi>{name}</bdi>
            </Link>
          </h2>
          <p className="text-sm tabular-nums text-soft">
            {plural(clips, 'clip')} · <DayTime instant={createdAt} />
          </p>
        </div>
        <CollectionActions collection={collection} hasClips={clips > 0} />
      </div>
    </article>
  )
}
