export type Stat = { label: string; value: number | string; hint?: string }

/** Figures above a list, as many side by side as there is room for; a last row fills its width. */
export function StatCards({ stats, label }: { stats: readonly Stat[]; label: string }) {
  return (
    <dl
      aria-label={label}
      className="flex flex-wrap gap-px overflow-hidden rounded-lg border border-line bg-line"
    >
      {stats.map(({ label: name, value, hint }) => (
        <div
          key={name}
          className="flex flex-1 basis-32 flex-col-reverse justify-end bg-surface px-4 py-3"
        >
          <dt className="text-sm text-soft">
            {name}
            {hint && <span className="block text-xs">{hint}</span>}
          </dt>
          <dd className="text-xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
