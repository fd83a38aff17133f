import type { VideoCounts } from '~/domain/videos/types'
import { figure } from '~/lib/figures'

/** The counters above a user's videos, in one line where the width allows. */
export function Counters({ counts }: { counts: VideoCounts }) {
  const stats: [string, number][] = [
    ['Total Videos', counts.total],
    ['Completed', counts.completed],
    ['In Progress', counts.inProgress],
    ['Failed', counts.failed],
  ]
  if (counts.cancelled > 0) stats.push(['Cancelled', counts.cancelled])
  return (
    <dl
      aria-label="Videos"
      className="flex flex-wrap gap-x-1.5 text-xs text-soft sm:gap-x-5 sm:text-sm"
    >
      {stats.map(([name, value]) => (
        <div key={name} className="flex flex-row-reverse items-baseline gap-[3px] sm:gap-1">
          <dt>{name}</dt>
          <dd className="font-semibold tabular-nums text-ink">{figure(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
