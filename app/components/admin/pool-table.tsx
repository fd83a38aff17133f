import { plural } from '~/lib/figures'
import { emptyPoolText } from '~/domain/tokens/rules'
import type { PoolSummary, PoolTokenHealth } from '~/domain/tokens/types'
import { paths } from '~/lib/paths'
import { dayAndTime } from '~/lib/time'
import { ActionForm } from '../ui/action-form'
import { Badge, type BadgeTone } from '../ui/badge'
import { CursorPages } from '../ui/cursor-pages'
import { DataCell, DataRow, DataTable } from '../ui/data-table'
import { DialogLink } from '../ui/dialog-link'
import { EmptyState } from '../ui/empty-state'
import { SubmitButton } from '../ui/submit-button'
import { usePlatformZone } from '../ui/use-root-data'

type Props = {
  page: { tokens: PoolTokenHealth[]; next: number | null }
  isFirst: boolean
  summary: PoolSummary
}

const COLUMNS = [
  'Position',
  'Token',
  'State',
  'Last assigned',
  'Last 24 hours',
  'Last error',
  'Actions',
]

const STATES = {
  ok: { tone: 'good', label: 'OK' },
  cooling: { tone: 'warn', label: 'Cooling' },
  dead: { tone: 'bad', label: 'Dead' },
} as const satisfies Record<PoolTokenHealth['state'], { tone: BadgeTone; label: string }>

/** The pool's tokens by position, with the state of each. */
export function PoolTable({ page: { tokens, next }, isFirst, summary }: Props) {
  if (tokens.length === 0) return <EmptyState text={emptyPoolText(summary)} />
  return (
    <div className="space-y-4">
      <DataTable caption="Extra tokens" columns={COLUMNS}>
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </DataTable>
      <CursorPages
        first={isFirst ? null : { to: paths.admin.tokens, label: 'First' }}
        next={next === null ? null : { to: `${paths.admin.tokens}?after=${next}`, label: 'Next' }}
      />
    </div>
  )
}

function TokenRow({ token }: { token: PoolTokenHealth }) {
  const timeZone = usePlatformZone()
  const { tone, label } = STATES[token.state]
  return (
    <DataRow>
      <DataCell label="Position" className="tabular-nums">
        {token.position}
      </DataCell>
      <DataCell place="whole">
        <span className="block break-all font-mono text-xs wide:min-w-32">{token.token}</span>
        {token.holders > 0 && (
          <span className="block text-xs text-soft">held by {plural(token.holders, 'user')}</span>
        )}
      </DataCell>
      <DataCell>
        <Badge tone={tone}>{label}</Badge>
        {token.coolUntil && (
          <span className="block text-xs text-soft">
            until {dayAndTime(token.coolUntil, timeZone)}
          </span>
        )}
      </DataCell>
      <DataCell label="Last assigned">
        {token.lastAssignedAt ? (
          <time dateTime={token.lastAssignedAt} className="wide:whitespace-nowrap">
            {dayAndTime(token.lastAssignedAt, timeZone)}
          </time>
        ) : (
          'Never'
        )}
      </DataCell>
      <DataCell label="Last 24 hours" className="tabular-nums">
        {token.ended === 0
          ? 'Not\u00a0used'
          : `${Math.round((100 * token.delivered) / token.ended)}% of ${token.ended} delivered`}
      </DataCell>
      <DataCell label="Last error">
        {token.lastError ?? 'None'}
        {token.lastErrorAt && (
          <span className="block text-xs text-soft">{dayAndTime(token.lastErrorAt, timeZone)}</span>
        )}
      </DataCell>
      <DataCell place="end">
        <TokenActions id={token.id} position={token.position} />
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
