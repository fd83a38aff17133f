import type { UnpaidRenewal } from '~/domain/administration/changes/late-payment.server'
import { moneyText, priceFor } from '~/domain/payments/money'
import { dayAndTime, shortDay } from '~/lib/time'
import { DataCell, DataRow, DataTable } from '../../ui/data-table'
import { EmptyState } from '../../ui/empty-state'
import { usePlatformZone } from '../../ui/use-root-data'
import { UserLink } from '../user-link'
import { usePlans } from '../use-plans'
import { LatePaymentLink } from './late-payment'

const COLUMNS = ['Renewed', 'Customer', 'Plan', 'Price', 'Until', 'By', 'Payment']

/** Renewals without a payment. On small screens each is a card. */
export function UnpaidTable({ renewals }: { renewals: readonly UnpaidRenewal[] }) {
  if (renewals.length === 0) return <EmptyState text="Every renewal has its payment." />
  return (
    <DataTable caption="Renewals without a payment" columns={COLUMNS}>
      {renewals.map((renewal) => (
        <UnpaidRow key={renewal.id} renewal={renewal} />
      ))}
    </DataTable>
  )
}

function UnpaidRow({ renewal }: { renewal: UnpaidRenewal }) {
  const timeZone = usePlatformZone()
  const plans = usePlans()
  const { userId, username, plan, at, by, to, days } = renewal
  const price = plan && priceFor({ plans, plan, days, instead: null }, 'PKR')
  return (
    <DataRow>
      <DataCell label="Renewed" className="tabular-nums">
        {dayAndTime(at, timeZone)}
      </DataCell>
      <DataCell place="name">
        <UserLink id={userId} username={username} />
      </DataCell>
      <DataCell label="Plan">{plan ?? 'No plan'}</DataCell>
      <DataCell label="Price" className="tabular-nums">
        {price === null ? '–' : moneyText({ amount: price, currency: 'PKR' })}
      </DataCell>
      <DataCell label="Until" className="tabular-nums">
        {shortDay(to, timeZone)}
      </DataCell>
      <DataCell label="By" className="break-all">
        {by}
      </DataCell>
      <DataCell place="end">
        <LatePaymentLink renewal={renewal} />
      </DataCell>
    </DataRow>
  )
}
