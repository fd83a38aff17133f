import { TRAIL_ACTIONS, type TrailEntryView, type TrailFacts } from '~/domain/activity/types'
import { dayAndTime } from '~/lib/time'

type Props = { entry: TrailEntryView; timeZone: string }

/** One line of the trail: when, who, what, to whom, and what was different afterwards. */
export function TrailEntry({ entry, timeZone }: Props) {
  const changes = changesOf(entry.before, entry.after)
  return (
    <li className="grid gap-x-4 gap-y-1 py-3 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
      <time dateTime={entry.at} className="tabular-nums text-soft">
        {dayAndTime(entry.at, timeZone)}
      </time>
      <div className="min-w-0 space-y-1">
        <p className="break-words">
          <b className="font-medium">{entry.actorName}</b> {TRAIL_ACTIONS[entry.action]}
          {entry.subjectName !== null && (
            <>
              : <b className="font-medium">{entry.subjectName}</b>
            </>
          )}
          {entry.count !== 1 && <span className="tabular-nums text-soft"> ({entry.count})</span>}
        </p>
        {changes.length > 0 && (
          <dl className="flex flex-wrap gap-x-4 gap-y-1 text-soft">
            {changes.map(({ name, from, to }) => (
              <div key={name} className="flex min-w-0 gap-1.5">
                <dt>{name}</dt>
                <dd className="min-w-0 break-words text-ink">
                  {from !== undefined && <>{from} → </>}
                  {to}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  )
}

type Change = { name: string; from: string | undefined; to: string }

const words = (value: TrailFacts[string] | undefined): string | undefined =>
  value === undefined ? undefined : value === null ? 'none' : String(value)

/** What differs; facts that stayed the same say nothing. */
function changesOf(before: TrailFacts | null, after: TrailFacts | null): Change[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.flatMap((name) => {
    const from = words(before?.[name])
    const to = words(after?.[name])
    return from === to && from !== 'changed' ? [] : [{ name, from, to: to ?? 'gone' }]
  })
}
