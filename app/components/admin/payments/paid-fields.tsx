import { getInputProps, type FieldMetadata } from '@conform-to/react'
import type { input } from 'zod'
import { CURRENCY_NAMES } from '~/lib/currencies'
import { METHOD_NAMES } from '~/domain/payments/rules'
import type { paidFields } from '~/domain/payments/schemas'
import { Field, SelectField } from '../../ui/field'
import { CheckboxField } from '../../ui/field-frame'
import { useHydrated } from '../../ui/use-hydrated'

type PaidForm = input<typeof paidFields>
export type PaidValues = { [Name in keyof PaidForm]?: string }

export const CURRENCY_OPTIONS = CURRENCY_NAMES.map((name) => ({ value: name, label: name }))
export const METHOD_OPTIONS = Object.entries(METHOD_NAMES).map(([value, label]) => ({
  value,
  label,
}))

/** Initial values of the fields. */
export const paidDefaults = (isPaid: boolean): PaidValues => ({
  isPaid: isPaid ? 'on' : '',
  paidAmount: '',
  paidCurrency: 'PKR',
  paidMethod: 'bank',
  paidReference: '',
})

type Fields = { [Name in keyof Required<PaidValues>]: FieldMetadata }
type Props = {
  fields: Fields
  /** What an empty amount means. */
  empty: string
}

/** Records a payment together with what it pays for. With scripts the details follow the tick. */
export function PaidFields({ fields, empty }: Props) {
  const isHydrated = useHydrated()
  const { isPaid } = fields
  return (
    <fieldset className="rounded border border-line px-3 pb-3 pt-1.5">
      <legend className="sr-only">Payment</legend>
      <CheckboxField
        {...getInputProps(isPaid, { type: 'checkbox' })}
        label="Paid"
        hint="The payment is entered in the book."
      />
      {(!isHydrated || isPaid.value !== undefined) && (
        <div className="mt-1">
          <PaymentFields fields={fields} empty={empty} />
        </div>
      )}
    </fieldset>
  )
}

/** What is known of a payment. A reference that was used before has to be seen. */
export function PaymentFields({
  fields,
  empty,
}: {
  fields: Omit<Fields, 'isPaid'>
  empty: string
}) {
  const { paidAmount, paidCurrency, paidMethod, paidReference, isRepeatSeen } = fields
  const isRepeat = paidReference.errors?.some((problem) => problem.startsWith('Already used'))
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      <Field
        field={paidAmount}
        label="Amount"
        inputMode="decimal"
        autoComplete="off"
        hint={empty}
      />
      <SelectField field={paidCurrency} label="Currency" options={CURRENCY_OPTIONS} />
      <SelectField field={paidMethod} label="Method" options={METHOD_OPTIONS} />
      <div>
        <Field field={paidReference} label="Reference" autoComplete="off" />
        {isRepeat && (
          <CheckboxField
            {...getInputProps(isRepeatSeen, { type: 'checkbox' })}
            label="Record it all the same"
          />
        )}
      </div>
    </div>
  )
}
