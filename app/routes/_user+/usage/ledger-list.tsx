import { chargeText, outcomeText } from '~/domain/quota/ledger'
import type { LedgerLine, LedgerReset } from '~/domain/quota/ledger.server'
import { dayAndTime } from '~/lib/time'
import { DataCell, DataRow, DataTable } from '~/components/ui/data-table'
import { Icon } from '~/components/ui/icon'
import { usePlatformZone } from '~/components/ui/use-root-data'

const COLUMNS = ['When', 'What', 'Prompt', 'Counts as']

type Props = { lines: readonly LedgerLine[]; day: string }

/** The ledger of a day in words: the reason for each unit, and its outcome. */
export function LedgerList({ lines, day }: Props) {
  const timeZone = usePlatformZone()
  return (
    <DataTable caption={`Videos of ${day}`} columns={COLUMNS}>
      {lines.map(
        ({ videoId, reason, label, state, counts, units, createdAt, settledAt }, index) => (
          <DataRow key={`${videoId}:${index}`}>
            <DataCell label="When">
              <time dateTime={createdAt} className="tabular-nums wide:whitespace-nowrap">
                {dayAndTime(createdAt, timeZone)}
              </time>
            </DataCell>
            <DataCell label="What">{chargeText(reason)}</DataCell>
            <DataCell place="whole" className="wide:max-w-md">
              <bdi className="[overflow-wrap:anywhere]">{label}</bdi>
            </DataCell>
            <DataCell label="Counts as" className="wide:min-w-48">
              {outcomeText(state, counts, units)}
              {settledAt && (
                <time dateTime={settledAt} className="block text-xs tabular-nums text-soft">
                  {dayAndTime(settledAt, timeZone)}
                </time>
              )}
            </DataCell>
          </DataRow>
        ),
      )}
    </DataTable>
  )
}

/** The corrections by administrators on that day. */
export function ResetList({ resets }: { resets: readonly LedgerReset[] }) {
  const timeZone = usePlatformZone()
  return (
    <ul className="space-y-1.5 rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      {resets.map(({ actorName, units, createdAt }) => (
        <li key={createdAt} className="flex items-start gap-2.5">
          <Icon name="rotate-ccw" className="mt-0.5 size-4 shrink-0 text-soft" />
          <span>
            {dayAndTime(createdAt, timeZone)}: {actorName} set the counter to zero and gave {units}{' '}
            back.
          </span>
        </li>
      ))}
    </ul>
  )
}
