import { Link } from '@remix-run/react'
import { figure } from '~/lib/figures'
import { textLinkClass } from './text-link'

/** `to` is the page with what the figure counts. */
export type Stat = { label: string; value: number | string; hint?: string; to?: string }

const COLUMNS: Readonly<Record<number, string>> = {
  3: 'grid grid-cols-3 tiny:grid-cols-1',
  4: 'grid grid-cols-2 tiny:grid-cols-1 sm:grid-cols-4',
  8: 'grid grid-cols-2 tiny:grid-cols-1 sm:grid-cols-4',
}

/**
 * Figures above a list: three side by side, four or eight in pairs or fours, other numbers as many as
 * fit. The last row always fills its width.
 */
export function StatCards({ stats, label }: { stats: readonly Stat[]; label: string }) {
  const columns = COLUMNS[stats.length] ?? 'flex flex-wrap'
  // A name that leads nowhere stands on the line of those that do.
  const hasLinks = stats.some(({ to }) => to !== undefined)
  return (
    <dl
      aria-label={label}
      className={`${columns} gap-px overflow-hidden rounded-lg border border-line bg-line`}
    >
      {stats.map(({ label: name, value, hint, to }) => (
        <div
          key={name}
          className="flex flex-1 basis-32 flex-col-reverse justify-end bg-surface px-4 py-3 md:max-lg:px-3"
        >
          <dt className="text-sm text-soft">
            {to !== undefined ? (
              <Link to={to} className={textLinkClass}>
                {name}
              </Link>
            ) : hasLinks ? (
              <span className="inline-flex min-h-11 items-center">{name}</span>
            ) : (
              name
            )}
            {hint && <span className="block text-xs"> {hint}</span>}
          </dt>
          <dd className="text-xl font-semibold tabular-nums">
            {typeof value === 'number' ? figure(value) : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
