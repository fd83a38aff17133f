import { Link } from '@remix-run/react'
import { spell } from '~/domain/health/verdicts'
import type { SystemStatus } from '~/domain/health/types'
import { causeOf } from '~/domain/videos/holds'
import { paths } from '~/lib/paths'
import { figure, plural } from '~/lib/figures'
import { dayAndTime } from '~/lib/time'
import { Badge } from '~/components/ui/badge'
import { Card } from '~/components/ui/card'
import { DataCell, DataRow, DataTable } from '~/components/ui/data-table'
import { usePlatformZone } from '~/components/ui/use-root-data'

type Props = { status: SystemStatus }

/** The figures behind the findings. */
export function SystemDetails({ status }: Props) {
  const { work, provider } = status
  return (
    <div className="space-y-6">
      <Workers status={status} />
      {provider.gates.length > 0 && <Gates status={status} />}
      {work.oldestVideoId && (
        <Card title="Oldest waiting video">
          <Link
            to={paths.video(work.oldestVideoId)}
            className="text-sm underline underline-offset-4"
          >
            Waiting for {spell(work.oldestWaitSeconds)}
          </Link>
        </Card>
      )}
      <Retention status={status} />
      <Checks status={status} />
    </div>
  )
}

const WORKER_COLUMNS = ['Machine', 'Process', 'Since', 'Heartbeat']

function Workers({ status: { workers } }: Props) {
  const timeZone = usePlatformZone()
  return (
    <Card title="Workers">
      {workers.length === 0 ? (
        <p className="text-sm text-soft">None has registered.</p>
      ) : (
        <DataTable caption="Workers" columns={WORKER_COLUMNS}>
          {workers.map(({ host, pid, startedAt, silentSeconds, isAlive }) => (
            <DataRow key={`${host}:${pid}`}>
              <DataCell label="Machine">{host}</DataCell>
              <DataCell label="Process">{pid}</DataCell>
              <DataCell label="Since">{dayAndTime(startedAt, timeZone)}</DataCell>
              <DataCell label="Heartbeat">
                <Badge tone={isAlive ? 'good' : 'bad'}>{spell(silentSeconds)} ago</Badge>
              </DataCell>
            </DataRow>
          ))}
        </DataTable>
      )}
    </Card>
  )
}

const PAUSED = { service: 'The whole provider', clips: 'Downloads of clips' }
const GATE_COLUMNS = ['Paused', 'Reason', 'Next try']

function Gates({ status }: Props) {
  const timeZone = usePlatformZone()
  return (
    <Card title="Paused after failures">
      <DataTable caption="Paused after failures" columns={GATE_COLUMNS}>
        {status.provider.gates.map(({ scope, kind, reason, seen, closedUntil }) => (
          <DataRow key={scope}>
            <DataCell label="Paused">
              {kind === 'account' ? `The account of ${scope}` : PAUSED[kind]}
            </DataCell>
            <DataCell label="Reason">
              {causeOf(reason)}
              {seen !== null && (
                <span className="block break-words text-xs text-soft">
                  <bdi>{seen}</bdi>
                </span>
              )}
            </DataCell>
            <DataCell label="Next try">{dayAndTime(closedUntil, timeZone)}</DataCell>
          </DataRow>
        ))}
      </DataTable>
    </Card>
  )
}

const CHECK_COLUMNS = ['Rule', 'Result', 'Looked at']

function Checks({ status: { invariants } }: Props) {
  const timeZone = usePlatformZone()
  return (
    <details className="rounded-lg border border-line bg-surface p-4 sm:p-5">
      <summary className="cursor-pointer text-base font-semibold">Self-check, rule by rule</summary>
      <DataTable caption="Self-check" columns={CHECK_COLUMNS}>
        {invariants.map(({ name, violations, checkedAt }) => (
          <DataRow key={name}>
            <DataCell place="whole">{name}</DataCell>
            <DataCell label="Result">
              <Badge tone={violations === 0 ? 'good' : 'bad'}>
                {violations === 0 ? 'Holds' : `${violations} violations`}
              </Badge>
            </DataCell>
            <DataCell label="Looked at">{dayAndTime(checkedAt, timeZone)}</DataCell>
          </DataRow>
        ))}
      </DataTable>
    </details>
  )
}

const RETENTION_COLUMNS = ['What', 'Kept', 'Removed so far', 'Last removal']

function keptFor(days: number | null): string {
  if (days === null) return 'For ever'
  return days === 0 ? 'While needed' : plural(days, 'day')
}

/** The retention rules of app/domain/retention/rules.server.ts. */
function Retention({ status: { retention } }: Props) {
  const timeZone = usePlatformZone()
  return (
    <details className="rounded-lg border border-line bg-surface p-4 sm:p-5">
      <summary className="cursor-pointer text-base font-semibold">
        What is removed, and when
      </summary>
      <p className="my-3 text-sm text-soft">
        Every hour. Videos go to the trash first. The settings named KEEP_… change the days.
      </p>
      <DataTable caption="What is removed" columns={RETENTION_COLUMNS}>
        {retention.map(({ name, what, days, removed, removedAt }) => (
          <DataRow key={name}>
            <DataCell place="whole">{what}</DataCell>
            <DataCell label="Kept">{keptFor(days)}</DataCell>
            <DataCell label="Removed so far">{figure(removed)}</DataCell>
            <DataCell label="Last removal">
              {removedAt ? dayAndTime(removedAt, timeZone) : 'None yet'}
            </DataCell>
          </DataRow>
        ))}
      </DataTable>
    </details>
  )
}
