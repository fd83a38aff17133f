import { moneyText } from '~/domain/payments/money'
import type { CodeIncome } from '~/domain/business/types'
import type { Money, MonthTotal } from '~/domain/payments/types'
import { figure, plural } from '~/lib/figures'
import { monthInWords } from '~/lib/time'
import { Card } from '~/components/ui/card'
import { DataCell, DataRow, DataTable } from '~/components/ui/data-table'
import { methodName } from '~/components/admin/payments/payment-table'

const COLUMNS = ['Plan or method', 'Payments', 'Received', 'Returned', 'Kept']

type Props = {
  month: string
  totals: readonly MonthTotal[]
  /** What referrals gave, by currency. */
  costs: readonly (Money & { count: number })[]
  codeIncome: CodeIncome
}

/** What was received in a month by plan and by method, one table for each currency. */
export function MonthTotals({ month, totals, costs, codeIncome }: Props) {
  const currencies = [...new Set(totals.map(({ currency }) => currency))]
  return (
    <Card title={`Income of ${monthInWords(month)}`}>
      <p className="mb-3 text-sm text-soft">
        Confirmed and refunded payments by the day they were received. Currencies are not added up.
        {codeIncome === 'sold'
          ? ' Prepaid codes count when they are made, the unused ones too.'
          : ' Prepaid codes count when they are used.'}
      </p>
      {currencies.length === 0 && <p className="text-soft">Nothing was received.</p>}
      {costs.map(({ count, ...cost }) => (
        <p key={cost.currency} className="mb-3 text-sm">
          Referrals gave away {moneyText(cost)} by the list, in {plural(count, 'reward')}. That is
          no income.
        </p>
      ))}
      <div className="space-y-6">
        {currencies.map((currency) => (
          <DataTable key={currency} caption={`Income in ${currency}`} columns={COLUMNS}>
            {totals
              .filter((total) => total.currency === currency)
              .map((total) => (
                <TotalRow key={nameOf(total)} total={total} />
              ))}
          </DataTable>
        ))}
      </div>
    </Card>
  )
}

const nameOf = ({ plan, method, currency }: MonthTotal): string =>
  plan ?? (method === null ? `All in ${currency}` : methodName(method))

function TotalRow({ total }: { total: MonthTotal }) {
  const { plan, method, currency, count, received, refunded } = total
  const isAll = plan === null && method === null
  const text = (amount: number) => moneyText({ amount, currency })
  return (
    <DataRow>
      <DataCell place="name" className={isAll ? 'font-semibold' : 'font-medium'}>
        {nameOf(total)}
      </DataCell>
      <DataCell label="Payments" className="tabular-nums">
        {figure(count)}
      </DataCell>
      <DataCell label="Received" className="tabular-nums">
        {text(received)}
      </DataCell>
      <DataCell label="Returned" className="tabular-nums">
        {text(refunded)}
      </DataCell>
      <DataCell label="Kept" className="tabular-nums">
        {text(received - refunded)}
      </DataCell>
    </DataRow>
  )
}
