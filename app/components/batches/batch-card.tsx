import { Link } from '@remix-run/react'
import { statesText } from '~/domain/batches/rules'
import type { BatchSummary } from '~/domain/batches/types'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { Badge } from '../ui/badge'
import { DayTime } from '../ui/day-time'
import { BatchActions } from './batch-actions'
import { CarriedNote } from './carried-note'
import { BatchPoster } from './batch-poster'

/** A batch in the list: its first frames, its name, how it went and what it cost. */
export function BatchCard({ batch }: { batch: BatchSummary }) {
  const { id, name, createdAt, totalVideos, chargedUnits, carried, isPaused } = batch
  return (
    <article className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-3 sm:flex-row sm:gap-5 sm:p-4">
      <FilmStrip batch={batch} />
      <div className="min-w-0 grow space-y-3">
        <div className="space-y-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="min-w-0 text-base font-semibold [overflow-wrap:anywhere]">
              <Link to={paths.batchPage(id)} className="underline-offset-4 hover:underline">
                <bdi>{name}</bdi>
              </Link>
            </h2>
            <BatchState batch={batch} />
          </div>
          <p className="text-sm tabular-nums text-soft">
            {/* The time is shorter once it is the reader's, so nothing stands after it. */}
            {plural(totalVideos, 'prompt')} · <DayTime instant={createdAt} />
          </p>
          <p className="text-sm tabular-nums">
            {statesText(batch)} · {plural(chargedUnits, 'unit')} used
          </p>
          {carried && (
            <p className="text-sm tabular-nums">
              <CarriedNote carried={carried} isPaused={isPaused} />
            </p>
          )}
        </div>
        <BatchActions batch={batch} />
      </div>
    </article>
  )
}

type StateProps = { batch: Pick<BatchSummary, 'status' | 'isPaused'> }

/** A batch that is running, paused or stopped. One that ran to its end needs no word. */
export function BatchState({ batch: { status, isPaused } }: StateProps) {
  if (status === 'completed') return null
  if (status === 'processing' && isPaused) return <Badge tone="warn">Paused</Badge>
  return status === 'processing' ? (
    <Badge tone="accent">Running</Badge>
  ) : (
    <Badge tone="warn">Stopped</Badge>
  )
}

/** The first frames of a batch. They only repeat what its page shows. */
function FilmStrip({ batch: { id, posters } }: { batch: BatchSummary }) {
  return (
    <Link
      to={paths.batchPage(id)}
      tabIndex={-1}
      aria-hidden
      className="flex w-full shrink-0 flex-col justify-between gap-1 self-start rounded-sm bg-film px-2 py-1 sm:w-72"
    >
      <span className="sprockets block" />
      <span className="grid grid-cols-5 gap-1">
        {Array.from({ length: 5 }, (_, frame) => posters[frame]).map((poster, frame) => (
          <span
            key={poster ?? frame}
            className="block aspect-[3/4] overflow-hidden rounded-sm bg-film-on/15"
          >
            {poster !== undefined && <BatchPoster id={poster} />}
          </span>
        ))}
      </span>
      <span className="sprockets block" />
    </Link>
  )
}
