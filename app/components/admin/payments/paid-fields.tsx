import { getInputProps, type FieldMetadata } from '@conform-to/react'
import { useRouteLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { input } from 'zod'
import { CHOOSE_METHOD, METHOD_NAMES } from '~/domain/payments/rules'
import type { paidFields } from '~/domain/payments/schemas'
import { PAYMENT_METHODS, type LastPaid } from '~/domain/payments/types'
import { CurrencyField, Field, SelectField } from '../../ui/field'
import { CheckboxField, FieldErrors } from '../../ui/field-frame'

type PaidForm = input<typeof paidFields>
export type PaidValues = { [Name in keyof PaidForm]?: string }

const METHOD_OPTIONS = PAYMENT_METHODS.map((value) => ({
  value,
  label: METHOD_NAMES[value],
}))

type WithLast = { lastPaid: LastPaid | null }

/** Returns how the signed-in person recorded a payment last, on the pages that record one. */
export function useLastPaid(): LastPaid | null {
  const ofAdmin = useRouteLoaderData<WithLast>('routes/_admin+/_layout')
  const ofHelper = useRouteLoaderData<WithLast>('routes/_user+/helper')
  return (ofAdmin ?? ofHelper)?.lastPaid ?? null
}

/** Initial values of the fields: not paid. */
export const paidDefaults = (last: LastPaid | null): PaidValues => ({
  paidAmount: '',
  paidCurrency: last?.currency ?? 'PKR',
  paidMethod: '',
  paidReference: '',
})

type Fields = { [Name in keyof Required<PaidValues>]: FieldMetadata }
type Props = {
  fields: Fields
  /** What an empty amount means. */
  empty: string
}

/**
 * Records a payment together with what it pays for. Nothing is chosen at first, so that none is entered that
 * nobody meant. The method of the last time stands first.
 */
export function PaidFields({ fields, empty }: Props) {
  const { paidMethod, paidBefore } = fields
  const before = useLastPaid()?.method
  const last = METHOD_OPTIONS.find(({ value }) => value === before)
  const methods = [
    { value: '', label: <NotPaid last={last?.label} /> },
    ...(last ? [last] : []),
    ...METHOD_OPTIONS.filter((one) => one !== last),
  ]
  return (
    <fieldset className="group/paid rounded border border-line px-3 pb-3 pt-1.5">
      <legend className="px-1 text-sm font-medium">Paid by</legend>
      <div className="mb-2 flex flex-wrap gap-x-4">
        {methods.map(({ value, label }) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-2 text-sm">
            <input
              type="radio"
              name={paidMethod.name}
              form={paidMethod.formId}
              value={value}
              defaultChecked={value === (paidMethod.initialValue ?? '')}
              className="size-5 shrink-0"
            />
            {label}
          </label>
        ))}
      </div>
      <FieldErrors id={paidMethod.errorId} messages={paidMethod.errors} />
      <input type="hidden" name={paidBefore.name} value={before ?? ''} />
      <Details
        fields={fields}
        empty={empty}
        reference={`With a reference or an amount it counts as paid${last ? `, by ${last.label}` : ''}.`}
      />
    </fieldset>
  )
}

/** Marks a field that means a payment once something is typed into it. */
const TELLS = { 'data-tells': '', placeholder: ' ' }

/** The choice of no method. It says what that means once an amount or a reference is typed, without scripts as well. */
const NotPaid = ({ last }: { last: string | undefined }) => (
  <>
    <span className="group-has-[[data-tells]:not(:placeholder-shown)]/paid:hidden">Not paid</span>
    <span className="hidden group-has-[[data-tells]:not(:placeholder-shown)]/paid:inline">
      {last === undefined ? CHOOSE_METHOD : `As last time: ${last}`}
    </span>
  </>
)

/** What is known of a payment that has been made. */
export function PaymentFields({ fields, empty }: Props) {
  return (
    <Details fields={fields} empty={empty}>
      <SelectField field={fields.paidMethod} label="Method" options={METHOD_OPTIONS} />
    </Details>
  )
}

type DetailsProps = Props & { reference?: string; children?: ReactNode }

/** Amount and reference. A reference that was used before has to be seen. */
function Details({ fields, empty, reference, children }: DetailsProps) {
  const { paidAmount, paidCurrency, paidReference, isRepeatSeen } = fields
  const isRepeat = paidReference.errors?.some((problem) => problem.startsWith('Already used'))
  return (
    <div className="grid grid-cols-2 gap-3 tiny:grid-cols-1">
      <Field
        field={paidAmount}
        label="Amount"
        inputMode="decimal"
        autoComplete="off"
        hint={empty}
        {...TELLS}
      />
      <CurrencyField field={paidCurrency} />
      {children}
      <div className={children ? '' : 'col-span-2 tiny:col-span-1'}>
        <Field
          field={paidReference}
          label="Reference"
          autoComplete="off"
          hint={reference}
          {...TELLS}
        />
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
