import type { VideoCounts } from '~/domain/videos/types'

const COUNTERS: { key: keyof VideoCounts; label: string }[] = [
  { key: 'total', label: 'Total Videos' },
  { key: 'completed', label: 'Completed' },
  { key: 'inProgress', label: 'In Progress' },
  { key: 'failed', label: 'Failed' },
]

/** The four counters above a user's videos. */
export function Counters({ counts }: { counts: VideoCounts }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-4">
      {COUNTERS.map(({ key, label }) => (
        <div key={key} className="flex flex-col-reverse bg-surface px-4 py-3">
          <dt className="text-sm text-soft">{label}</dt>
          <dd className="text-xl font-semibold tabular-nums">{counts[key]}</dd>
        </div>
      ))}
    </dl>
  )
}
