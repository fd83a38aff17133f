import { Link } from '@remix-run/react'
import { emptyPoolText } from '~/domain/tokens/rules'
import type { PoolSummary, PoolTokenView } from '~/domain/tokens/types'
import { paths } from '~/lib/paths'
import { dayAndTime } from '~/lib/time'
import { ActionForm } from '~/components/ui/action-form'
import { buttonClass } from '~/components/ui/button'
import { DataCell, DataRow, DataTable } from '~/components/ui/data-table'
import { DialogLink } from '~/components/ui/dialog-link'
import { EmptyState } from '~/components/ui/empty-state'
import { SubmitButton } from '~/components/ui/submit-button'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { StateBadge } from '~/components/admin/tokens/token-state'

type Props = { tokens: readonly PoolTokenView[]; summary: PoolSummary }

const COLUMNS = ['Position', 'Token', 'State', 'Last assigned', 'Actions']

/** The first tokens of the pool, and a link to the page that shows all of them with their figures. */
export function PoolTable({ tokens, summary }: Props) {
  if (tokens.length === 0) return <EmptyState text={emptyPoolText(summary)} />
  return (
    <div className="space-y-4">
      <DataTable caption="Extra tokens" columns={COLUMNS}>
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </DataTable>
      <Link to={paths.admin.tokens} className={buttonClass('plain')}>
        All tokens
      </Link>
    </div>
  )
}

function TokenRow({
  token: { id, position, token, name, state, death, lastAssignedAt },
}: {
  token: PoolTokenView
}) {
  const timeZone = usePlatformZone()
  return (
    <DataRow>
      <DataCell label="Position" className="tabular-nums">
        {position}
      </DataCell>
      <DataCell place="whole">
        <span className="block [overflow-wrap:anywhere]">{name}</span>
        <span className="block break-all font-mono text-xs text-soft wide:min-w-32">{token}</span>
      </DataCell>
      <DataCell>
        <StateBadge state={state} death={death} />
      </DataCell>
      <DataCell label="Last assigned">
        {lastAssignedAt ? (
          <time dateTime={lastAssignedAt} className="wide:whitespace-nowrap">
            {dayAndTime(lastAssignedAt, timeZone)}
          </time>
        ) : (
          'Never'
        )}
      </DataCell>
      <DataCell place="end">
        <TokenActions id={id} position={position} />
      </DataCell>
    </DataRow>
  )
}

function TokenActions({ id, position }: { id: string; position: number }) {
  return (
    <div className="flex flex-wrap gap-2 wide:flex-nowrap">
      <ActionForm intent="check" preventScrollReset>
        <input type="hidden" name="id" value={id} />
        <SubmitButton intent="check" look="plain" aria-label={`Test token ${position}`}>
          Test
        </SubmitButton>
      </ActionForm>
      <DialogLink dialog="remove" on={id} aria-label={`Remove token ${position}`}>
        Remove
      </DialogLink>
    </div>
  )
}
