import { Link } from '@remix-run/react'
import { figure } from '~/lib/figures'

export type FilterChoice = {
  label: string
  /** How many match. Null if that is not known. */
  count: number | null
  isCurrent: boolean
  to: string
}

/** A filter whose choices are links, so that each has an address. */
export function FilterGroup({
  label,
  choices,
}: {
  label: string
  choices: readonly FilterChoice[]
}) {
  return (
    <nav aria-label={label} className="min-w-0">
      <p aria-hidden className="mb-1 text-xs font-medium text-soft">
        {label}
      </p>
      <ul className="flex flex-wrap gap-1">
        {choices.map((choice) => (
          <li key={choice.label}>
            <Link
              to={choice.to}
              preventScrollReset
              aria-current={choice.isCurrent ? 'true' : undefined}
              className={`inline-flex min-h-11 items-center gap-1 rounded border px-2 text-sm sm:gap-1.5 sm:px-3 md:min-h-9 ${
                choice.isCurrent
                  ? 'border-accent bg-sunken font-medium text-ink'
                  : 'border-line bg-surface text-soft hover:border-edge hover:text-ink'
              }`}
            >
              {choice.label}
              {choice.count !== null && (
                <span className="text-xs tabular-nums text-soft">{figure(choice.count)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
