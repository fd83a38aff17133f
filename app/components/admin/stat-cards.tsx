import type { UserStats } from '~/domain/administration/types'

const CARDS: { key: keyof UserStats; label: string; hint?: string }[] = [
  { key: 'total', label: 'Total Users' },
  { key: 'admins', label: 'Admins' },
  { key: 'editors', label: 'Editors' },
  { key: 'users', label: 'Users' },
  { key: 'active', label: 'Active' },
  { key: 'totalVideos', label: 'Total Videos', hint: 'this month' },
]

/** The six figures above the users. */
export function StatCards({ stats }: { stats: UserStats }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3 lg:grid-cols-6">
      {CARDS.map(({ key, label, hint }) => (
        <div key={key} className="flex flex-col-reverse justify-end bg-surface px-4 py-3">
          <dt className="text-sm text-soft">
            {label} {hint && <span className="text-xs">({hint})</span>}
          </dt>
          <dd className="text-xl font-semibold tabular-nums">{stats[key]}</dd>
        </div>
      ))}
    </dl>
  )
}
