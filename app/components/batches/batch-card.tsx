import { Link } from '@remix-run/react'
import { statesText } from '~/domain/batches/rules'
import type { BatchSummary, ListedBatch } from '~/domain/batches/types'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { Badge } from '../ui/badge'
import { DayTime } from '../ui/day-time'
import { BatchActions } from './batch-actions'
import { BatchName } from './batch-name'
import { BatchPoster } from './batch-poster'
import { LineForms } from './line-forms'
import { CarriedNote, LineNote } from './waiting-notes'

/** A batch in the list: its first frames, its name, how it went and what it cost. */
export function BatchCard({ batch, now }: { batch: ListedBatch; now: Date }) {
  const { id, createdAt, totalVideos, chargedUnits, carried, inLine, isPaused } = batch
  const { firstPrompt } = batch
  return (
    <article className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-3 sm:p-4 lg:flex-row lg:gap-5">
      <FilmStrip batch={batch} />
      <div className="min-w-0 grow space-y-3">
        <div className="space-y-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="min-w-0 text-base font-semibold [overflow-wrap:anywhere]">
              <Link to={paths.batchPage(id)} className="underline-offset-4 hover:underline">
                <BatchName batch={batch} />
              </Link>
            </h2>
            <BatchState batch={batch} />
          </div>
          {firstPrompt !== null && (
            <p dir="auto" className="truncate text-sm">
              {firstPrompt}
            </p>
          )}
          <p className="text-sm tabular-nums text-soft">
            {/* The time is shorter once it is the reader's, so nothing stands after it. */}
            {plural(totalVideos, 'prompt')} · <DayTime instant={createdAt} />
          </p>
          <p className="text-sm tabular-nums">
            {statesText(batch)} · {plural(chargedUnits, 'video')} charged
          </p>
          {inLine && (
            <p className="text-sm tabular-nums">
              <LineNote inLine={inLine} now={now} />
            </p>
          )}
          {carried && !inLine && (
            <p className="text-sm tabular-nums">
              <CarriedNote carried={carried} isPaused={isPaused} now={now} />
            </p>
          )}
        </div>
        {inLine && <LineForms batchId={id} inLine={inLine} />}
        <BatchActions batch={batch} />
      </div>
    </article>
  )
}

type StateProps = { batch: Pick<BatchSummary, 'status' | 'isPaused'> }

/** A batch that is running, paused or stopped. One that ran to its end needs no word. */
export function BatchState({ batch: { status, isPaused } }: StateProps) {
  if (status === 'completed') return null
  if (status === 'queued') return <Badge>In line</Badge>
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
      className="flex w-full shrink-0 flex-col justify-between gap-1 self-start rounded-sm bg-film px-2 py-1 lg:w-72"
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
