import { getInputProps } from '@conform-to/react'
import type { CodeIncome } from '~/domain/business/types'
import { PLAN_NAMES } from '~/domain/plans/types'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { CurrencyField, Field, SelectField } from '~/components/ui/field'
import { CheckboxField } from '~/components/ui/field-frame'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'
import { usePlans } from '~/components/admin/use-plans'

type MakeFields = Record<
  'plan' | 'days' | 'count' | 'amount' | 'currency' | 'soldTo' | 'note' | 'lastDay',
  string
> & { seenPrice: boolean }

/** Makes codes of a plan. `lotId` keeps a form that is sent twice from making them twice. */
export function MakeCodesForm({ lotId }: { lotId: string }) {
  const plans = usePlans()
  const [form, fields] = useActionForm<MakeFields>('make-codes', {
    defaultValue: { plan: 'Starter', days: '30', count: '10', currency: 'PKR' },
  })
  const [below] = fields.seenPrice.errors ?? []
  return (
    <Card title="Make codes">
      <ActionForm {...form} intent="make-codes" preventScrollReset className="space-y-4">
        <HiddenFields fields={{ lotId }} />
        <div className="grid grid-cols-2 gap-3 tiny:grid-cols-1 md:grid-cols-4">
          <SelectField
            field={fields.plan}
            label="Plan"
            options={PLAN_NAMES.map((value) => ({
              value,
              label: plans[value].isOffered ? value : `${value} (not offered)`,
            }))}
          />
          <Field field={fields.days} label="Days" inputMode="numeric" required />
          <Field
            field={fields.count}
            label="Number of codes"
            inputMode="numeric"
            hint="At most 500"
            required
          />
          <Field field={fields.lastDay} label="Last day" type="date" hint="Empty: in a year" />
          <Field
            field={fields.amount}
            label="Amount for each"
            inputMode="decimal"
            autoComplete="off"
            hint="Empty: the plan’s price for the days"
          />
          <CurrencyField field={fields.currency} />
          <Field field={fields.soldTo} label="Sold to (optional)" autoComplete="off" />
          <Field field={fields.note} label="Note (optional)" autoComplete="off" />
        </div>
        {below !== undefined && (
          <div className="rounded border border-warn px-3 py-2 text-sm">
            <p className="text-warn">{below}</p>
            <CheckboxField
              {...getInputProps(fields.seenPrice, { type: 'checkbox' })}
              label="Make them all the same"
            />
          </div>
        )}
        <SubmitButton intent="make-codes" pending="Making…">
          Make codes
        </SubmitButton>
      </ActionForm>
    </Card>
  )
}

const INCOMES = [
  { value: 'used', label: 'On the day on which a code is used' },
  { value: 'sold', label: 'On the day on which it is made' },
] as const satisfies readonly { value: CodeIncome; label: string }[]

/** When codes are income. Each keeps what applied when it was made, so none counts twice. */
export function IncomeForm({ income }: { income: CodeIncome }) {
  const [form, fields] = useActionForm<{ codeIncome: string }>('code-income', {
    defaultValue: { codeIncome: income },
  })
  return (
    <Card title="Income">
      <ActionForm {...form} intent="code-income" preventScrollReset className="space-y-4">
        <SelectField
          field={fields.codeIncome}
          label="A code is income"
          options={INCOMES}
          hint="For codes that are made from now on. The others keep their day."
        />
        <SubmitButton intent="code-income" look="plain">
          Save
        </SubmitButton>
      </ActionForm>
    </Card>
  )
}
