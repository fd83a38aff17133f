import type { FieldMetadata } from '@conform-to/react'
import { RENEW_DAYS } from '~/domain/administration/changes/bulk-rules'
import { PLAN_NAMES } from '~/domain/plans/types'
import { Field, SelectField } from '../../ui/field'
import { useHydrated } from '../../ui/use-hydrated'

const KINDS = [
  { value: 'renew', label: `Renew by ${RENEW_DAYS} days` },
  { value: 'add-days', label: 'Add days' },
  { value: 'change-plan', label: 'Change plan' },
  { value: 'gift-quota', label: 'Gift quota for today' },
  { value: 'disable', label: 'Disable' },
]
const STARTS = [
  { value: 'later', label: 'The end, or today if it has passed' },
  { value: 'end', label: 'The old end' },
  { value: 'today', label: 'Today' },
]
const PLANS = PLAN_NAMES.map((name) => ({ value: name, label: name }))

export type BulkActionValues = Record<'kind' | 'from' | 'days' | 'units' | 'plan', string>
export const BULK_ACTION_DEFAULTS: BulkActionValues = {
  kind: 'add-days',
  from: 'later',
  days: '30',
  units: '10',
  plan: 'Starter',
}

type Props = { fields: Record<keyof BulkActionValues, FieldMetadata<string>> }

/**
 * The fields of a bulk change. With scripts only the field that the chosen action needs is shown,
 * without scripts all fields are.
 */
export function BulkActionFields({ fields: { kind, from, days, units, plan } }: Props) {
  const isHydrated = useHydrated()
  const asks = (what: string) => !isHydrated || kind.value === what
  return (
    <>
      <SelectField field={kind} label="What" options={KINDS} />
      {asks('renew') && <SelectField field={from} label="Renew from" options={STARTS} />}
      {asks('add-days') && <Field field={days} label="Days" inputMode="numeric" />}
      {asks('gift-quota') && <Field field={units} label="Videos to give" inputMode="numeric" />}
      {asks('change-plan') && <SelectField field={plan} label="New plan" options={PLANS} />}
    </>
  )
}
