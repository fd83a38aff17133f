import type { Series } from './types'

/** How the bars of a series look. They also differ without colours. */
export const LOOKS: Readonly<Record<Series['look'], string>> = {
  full: 'fill-accent stroke-accent',
  hollow: 'fill-surface stroke-soft',
}

/** The names of the series, each with a piece of its bars. */
export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {series.map(({ name, look }) => (
        <li key={name} className="flex items-center gap-2">
          <svg aria-hidden viewBox="0 0 12 12" className="size-3 shrink-0">
            <rect x="0.5" y="0.5" width="11" height="11" className={LOOKS[look]} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
