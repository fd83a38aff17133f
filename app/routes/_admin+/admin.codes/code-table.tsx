import { Link } from '@remix-run/react'
import type { CodeState } from '~/domain/administration/codes/code-schemas'
import type { CodeView } from '~/domain/administration/codes/list-codes.server'
import { moneyText } from '~/domain/payments/money'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { dayAndTime } from '~/lib/time'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { buttonClass } from '~/components/ui/button'
import { DataCell, DataRow, DataTable } from '~/components/ui/data-table'
import { EmptyState } from '~/components/ui/empty-state'
import { SubmitButton } from '~/components/ui/submit-button'
import { textLinkClass } from '~/components/ui/text-link'
import { usePlatformZone } from '~/components/ui/use-root-data'

type Props = {
  codes: readonly CodeView[]
  state: CodeState
  /** Only those that were made together with this id. */
  lot: string | undefined
  isAdmin: boolean
}

const COLUMNS = ['Code', 'Plan', 'Amount', 'Sold to', 'Made', 'Until', 'Actions']

/** The codes of a page, and what can be done with all that were made together. */
export function CodeTable({ codes, state, lot, isAdmin }: Props) {
  if (codes.length === 0) return <EmptyState text="There are no codes here." />
  const change = changeOf(state, isAdmin)
  return (
    <div className="space-y-3">
      {lot !== undefined && change && (
        <ChangeForm change={change} fields={{ lot }} label={`${change.label} all of them`} />
      )}
      <DataTable caption="Prepaid codes" columns={COLUMNS}>
        {codes.map((code) => (
          <CodeRow key={code.id} code={code} change={change} hasLot={lot !== undefined} />
        ))}
      </DataTable>
    </div>
  )
}

type Change = { intent: 'block-codes' | 'open-codes'; label: string }

/** What may be done with codes of a state. One that was used stays used. */
function changeOf(state: CodeState, isAdmin: boolean): Change | null {
  if (state === 'blocked') return isAdmin ? { intent: 'open-codes', label: 'Open again' } : null
  return state === 'used' ? null : { intent: 'block-codes', label: 'Block' }
}

type RowProps = { code: CodeView; change: Change | null; hasLot: boolean }

function CodeRow({ code, change, hasLot }: RowProps) {
  const timeZone = usePlatformZone()
  const { id, number, lotId, plan, days, soldTo, note, madeBy, madeAt, endsAt } = code
  const { changedAt, usedBy, changeId } = code
  return (
    <DataRow>
      <DataCell place="name" className="font-medium">
        {hasLot ? (
          `No. ${number}`
        ) : (
          <Link to={`?lot=${lotId}`} className={textLinkClass}>
            No. {number}
          </Link>
        )}
      </DataCell>
      <DataCell label="Plan">
        {plan}, {plural(days, 'day')}
      </DataCell>
      <DataCell label="Amount" className="tabular-nums wide:whitespace-nowrap">
        {moneyText(code)}
      </DataCell>
      <DataCell label="Sold to" className="[overflow-wrap:anywhere]">
        {soldTo ?? '–'}
        {note !== null && <span className="block text-xs text-soft">{note}</span>}
      </DataCell>
      <DataCell label="Made" className="tabular-nums">
        {dayAndTime(madeAt, timeZone)}
        <span className="block break-all text-xs text-soft">{madeBy}</span>
      </DataCell>
      <DataCell label="Until" className="tabular-nums">
        {dayAndTime(endsAt, timeZone)}
        {changedAt !== null && (
          <span className="block text-xs text-soft">
            {usedBy === null ? 'Blocked' : `Used by ${usedBy}`} {dayAndTime(changedAt, timeZone)}
          </span>
        )}
      </DataCell>
      <DataCell place="end">
        {change && (
          <ChangeForm change={change} fields={{ id }} about={`${change.label} no. ${number}`} />
        )}
        {changeId !== null && (
          <Link
            to={paths.admin.change(changeId)}
            className={buttonClass('quiet')}
            aria-label={`The change of no. ${number}`}
          >
            Change
          </Link>
        )}
      </DataCell>
    </DataRow>
  )
}

type FormProps = {
  change: Change
  fields: Record<string, string>
  label?: string
  about?: string
}

const ChangeForm = ({ change: { intent, label: short }, fields, label, about }: FormProps) => (
  <ActionForm intent={intent} preventScrollReset>
    <HiddenFields fields={fields} />
    <SubmitButton intent={intent} look="plain" aria-label={about}>
      {label ?? short}
    </SubmitButton>
  </ActionForm>
)
