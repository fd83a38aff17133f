import { countFailures } from '~/domain/batches/rules'
import { CELLS, type BatchProgress, type Cell } from '~/domain/batches/types'
import { LOOKS } from './batch-sheet'

/**
 * From left to right. Vertical position and height differ by state, so that states can be told
 * apart without colour.
 */
const SHARES = [
  { cell: 'd', fill: 'fill-good', y: 0, height: 4 },
  { cell: 'm', fill: 'fill-accent', y: 2, height: 2 },
  { cell: 'w', fill: 'fill-none', y: 0, height: 4 },
  { cell: 'f', fill: 'fill-bad', y: 0, height: 2 },
  { cell: 'c', fill: 'fill-soft', y: 1, height: 2 },
  { cell: '-', fill: 'fill-none', y: 0, height: 4 },
] as const satisfies readonly { cell: Cell; fill: string; y: number; height: number }[]

/** The number of videos per state, for a batch with more videos than a strip has cells. */
export function BatchShares({ progress }: { progress: BatchProgress }) {
  const counts = countsOf(progress)
  const shown = SHARES.filter(({ cell }) => counts[cell] > 0)
  const startOf = (index: number) =>
    shown.slice(0, index).reduce((sum, { cell }) => sum + counts[cell], 0)
  return (
    <div className="space-y-1.5">
      <svg
        aria-hidden
        viewBox={`0 0 ${progress.batch.totalVideos} 4`}
        preserveAspectRatio="none"
        className="h-6 w-full rounded-sm border border-edge"
      >
        {shown.map(({ cell, fill, y, height }, index) => (
          <rect
            key={cell}
            x={startOf(index)}
            width={counts[cell]}
            y={y}
            height={height}
            className={fill}
          />
        ))}
      </svg>
      <ul
        aria-label="Videos by state"
        className="flex flex-wrap gap-x-3 gap-y-1 text-xs tabular-nums text-soft"
      >
        {shown.map(({ cell }) => (
          <li key={cell} className="flex items-center gap-1">
            <span aria-hidden className={`${LOOKS[cell]} !h-4 w-4`} />
            {counts[cell]} {CELLS[cell]}
          </li>
        ))}
      </ul>
    </div>
  )
}

function countsOf({ batch, sent, failures }: BatchProgress): Record<Cell, number> {
  const { totalVideos, completedVideos, failedVideos } = batch
  const { failed, cancelled } = countFailures(failures)
  return {
    d: completedVideos,
    m: sent,
    w: Math.max(0, totalVideos - completedVideos - failedVideos - sent),
    f: failed,
    c: cancelled,
    '-': Math.max(0, failedVideos - failed - cancelled),
  }
}
