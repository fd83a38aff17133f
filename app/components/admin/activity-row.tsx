import {
  ACTIVITY_ACTIONS,
  type ActivityEntryView,
  type ActivityFacts,
} from '~/domain/activity/types'
import { figure } from '~/lib/figures'
import { dayAndTime } from '~/lib/time'
import { usePlatformZone } from '../ui/use-root-data'
import { UserLink } from './user-link'

/** An entry of the activity log: when, who, what, to whom, and the changed values. */
export function ActivityRow({ entry }: { entry: ActivityEntryView }) {
  const timeZone = usePlatformZone()
  const changes = changesOf(entry, timeZone)
  return (
    <li className="grid gap-x-4 gap-y-1 py-3 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
      <time dateTime={entry.at} className="tabular-nums text-soft">
        {dayAndTime(entry.at, timeZone)}
      </time>
      <div className="min-w-0 space-y-1">
        <p className="break-words">
          <b className="font-medium">{entry.actorName}</b> {ACTIVITY_ACTIONS[entry.action]}
          {entry.subjectName !== null && entry.subjectName !== entry.actorName && (
            <>
              :{' '}
              {entry.subjectKind === 'user' && entry.subjectId !== null ? (
                <UserLink id={entry.subjectId} username={entry.subjectName} />
              ) : (
                <b className="font-medium">{entry.subjectName}</b>
              )}
            </>
          )}
          {entry.count !== 1 && (
            <span className="tabular-nums text-soft"> ({figure(entry.count)})</span>
          )}
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

/** Labels for facts whose names are not plain words. */
const NAMES: Readonly<Record<string, string>> = {
  videoLimit: 'videos a day',
  clipUnits: 'one video counts as',
  speedLimit: 'videos at once',
  videoGenerationSpeed: 'seconds between',
  expiryDate: 'expires',
  isActive: 'active',
  apiKey: 'key',
  apiKeys: 'API keys',
  gifted: 'extra today',
  isRepeatSeen: 'reference used before',
  fromDay: 'first day',
  untilDay: 'last day',
}

/** Format in which the domain stores an instant. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function words(value: ActivityFacts[string] | undefined, timeZone: string): string | undefined {
  // An empty search means no search.
  if (value === undefined || value === '') return undefined
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return figure(value)
  return typeof value === 'string' && INSTANT.test(value) ? dayAndTime(value, timeZone) : value
}

/** Returns the facts that differ. Unchanged facts are omitted. */
function changesOf({ before, after }: ActivityEntryView, timeZone: string): Change[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.flatMap((name) => {
    const from = words(before?.[name], timeZone)
    const to = words(after?.[name], timeZone)
    const isSame = from === to && from !== 'changed'
    return isSame ? [] : [{ name: NAMES[name] ?? name, from, to: to ?? 'gone' }]
  })
}
