import { Link } from '@remix-run/react'
import { moneyText } from '~/domain/payments/money'
import { isMethod, METHOD_NAMES, STATE_NAMES } from '~/domain/payments/rules'
import type { PaymentState, PaymentView } from '~/domain/payments/types'
import { paths } from '~/lib/paths'
import { dayAndTime } from '~/lib/time'
import { Badge, type BadgeTone } from '../../ui/badge'
import { buttonClass } from '../../ui/button'
import { DataCell, DataRow, DataTable } from '../../ui/data-table'
import { DialogLink } from '../../ui/dialog-link'
import { EmptyState } from '../../ui/empty-state'
import { usePlatformZone } from '../../ui/use-root-data'
import { UserLink } from '../user-link'

const COLUMNS = [
  'Received',
  'Customer',
  'Plan',
  'Amount',
  'Method',
  'Reference',
  'State',
  'Actions',
]

const TONES = {
  claimed: 'warn',
  confirmed: 'good',
  rejected: 'neutral',
  refunded: 'bad',
} as const satisfies Record<PaymentState, BadgeTone>

/** Returns the name of a method; one of a later version is shown as it is stored. */
export const methodName = (method: string): string =>
  isMethod(method) ? METHOD_NAMES[method] : method

/** Says of a claim that the customer typed no amount. */
export const UntypedNote = () => (
  <span className="block text-xs text-soft">The plan’s price: no amount was typed</span>
)

/** The payments of a page. On small screens each is a card. */
export function PaymentTable({ payments }: { payments: readonly PaymentView[] }) {
  if (payments.length === 0) return <EmptyState text="There are no payments here." />
  return (
    <DataTable caption="Payments" columns={COLUMNS}>
      {payments.map((payment) => (
        <PaymentRow key={payment.id} payment={payment} />
      ))}
    </DataTable>
  )
}

function PaymentRow({ payment }: { payment: PaymentView }) {
  const timeZone = usePlatformZone()
  const { userId, username, plan, method, reference, state, reason, refunded, currency } = payment
  return (
    <DataRow>
      <DataCell label="Received" className="tabular-nums">
        {dayAndTime(payment.receivedAt, timeZone)}
      </DataCell>
      <DataCell
        place="name"
        className="break-all font-medium wide:min-w-32 wide:[&_a]:whitespace-nowrap"
      >
        {userId === null ? username : <UserLink id={userId} username={username} />}
        {state === 'claimed' && payment.isVisitors && (
          <span className="block text-xs font-normal text-soft">Reported without signing in</span>
        )}
      </DataCell>
      <DataCell label="Plan">{plan}</DataCell>
      <DataCell label="Amount" className="tabular-nums wide:whitespace-nowrap">
        {method === 'referral' ? 'Not paid' : moneyText(payment)}
        {payment.cost !== null && (
          <span className="block text-xs text-soft">
            {moneyText({ amount: payment.cost, currency })} by the list
          </span>
        )}
        {payment.isUntyped && <UntypedNote />}
        {refunded > 0 && (
          <span className="block text-xs text-soft">
            {moneyText({ amount: refunded, currency })} returned
          </span>
        )}
      </DataCell>
      <DataCell label="Method">{methodName(method)}</DataCell>
      <DataCell label="Reference" className="[overflow-wrap:anywhere]">
        {reference ?? (method === 'referral' ? payment.note : '–')}{' '}
        {payment.isRepeatSeen && <Badge tone="warn">Used twice</Badge>}
      </DataCell>
      <DataCell>
        <Badge tone={TONES[state]}>{STATE_NAMES[state]}</Badge>
        {reason !== null && (
          <span className="block text-xs text-soft [overflow-wrap:anywhere]">{reason}</span>
        )}
      </DataCell>
      <DataCell place="end">
        <Actions payment={payment} />
      </DataCell>
    </DataRow>
  )
}

function Actions({ payment }: { payment: PaymentView }) {
  const { id, username, state, changeId, recordedBy } = payment
  const isOpen = state === 'claimed' || (state === 'rejected' && recordedBy === null)
  const link = (dialog: string, label: string) => (
    <DialogLink dialog={dialog} on={id} aria-label={`${label} the payment of ${username}`}>
      {label}
    </DialogLink>
  )
  return (
    <span className="flex flex-wrap gap-2 wide:flex-nowrap wide:[&_.btn]:px-2">
      {isOpen && link('confirm', 'Confirm')}
      {state === 'claimed' && link('reject', 'Reject')}
      {state === 'confirmed' && payment.method !== 'referral' && link('refund', 'Refund')}
      {changeId !== null && (
        <Link
          to={paths.admin.change(changeId)}
          className={buttonClass('quiet')}
          aria-label={`The change that ${username} paid for`}
        >
          Change
        </Link>
      )}
    </span>
  )
}
