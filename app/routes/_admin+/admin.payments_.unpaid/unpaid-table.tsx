import type { SoldAct } from '~/domain/administration/changes/sold-acts'
import { moneyText } from '~/domain/payments/money'
import { dayAndTime, shortDay } from '~/lib/time'
import { DataCell, DataRow, DataTable } from '~/components/ui/data-table'
import { EmptyState } from '~/components/ui/empty-state'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { UserLink } from '~/components/admin/user-link'
import { LatePaymentLink } from '~/components/admin/payments/late-payment'

type Props = {
  acts: readonly SoldAct[]
  /** What was done to these customers: Renewed. */
  name: string
}

/** What customers got without a payment or below the price. On small screens each is a card. */
export function UnpaidTable({ acts, name }: Props) {
  if (acts.length === 0)
    return <EmptyState text="Everything has its payment, and none is below the price." />
  const columns = [name, 'Customer', 'Plan', 'Price', 'Until', 'By', 'Payment']
  return (
    <DataTable caption={`${name} without a payment`} columns={columns}>
      {acts.map((act) => (
        <UnpaidRow key={act.id} act={act} name={name} />
      ))}
    </DataTable>
  )
}

function UnpaidRow({ act, name }: { act: SoldAct; name: string }) {
  const timeZone = usePlatformZone()
  const { userId, username, plan, at, by, to, price, paid } = act
  return (
    <DataRow>
      <DataCell label={name} className="tabular-nums">
        {dayAndTime(at, timeZone)}
      </DataCell>
      <DataCell place="name">
        <UserLink id={userId} username={username} />
      </DataCell>
      <DataCell label="Plan">{plan ?? 'No plan'}</DataCell>
      <DataCell label="Price" className="tabular-nums">
        {price === null ? '–' : moneyText(price)}
      </DataCell>
      <DataCell label="Until" className="tabular-nums">
        {to === null ? 'No end' : shortDay(to, timeZone)}
      </DataCell>
      <DataCell label="By" className="break-all">
        {by}
      </DataCell>
      <DataCell place="end">
        {paid ? (
          <span className="tabular-nums text-warn">Only {moneyText(paid)}</span>
        ) : (
          <LatePaymentLink act={act} />
        )}
      </DataCell>
    </DataRow>
  )
}
