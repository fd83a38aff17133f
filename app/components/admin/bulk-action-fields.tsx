import { useState } from 'react'
import { PLAN_NAMES } from '~/domain/plans/types'
import { Field, SelectField } from '../ui/field'
import { useHydrated } from '../ui/use-hydrated'

const KINDS = [
  { value: 'add-days', label: 'Add days' },
  { value: 'change-plan', label: 'Change plan' },
  { value: 'gift-quota', label: 'Gift quota for today' },
  { value: 'disable', label: 'Disable' },
]
const PLANS = PLAN_NAMES.map((name) => ({ value: name, label: name }))

export type ActionValues = { kind: string; days: string; units: string; plan: string }
const DEFAULTS: ActionValues = { kind: 'add-days', days: '30', units: '10', plan: 'Starter' }

type Props = {
  /** The typed values, if some of them are invalid. */
  given?: ActionValues
  errors?: Readonly<Record<string, string[] | undefined>>
}

/**
 * The fields of a bulk change. With scripts only the field that the chosen action needs is shown,
 * without scripts all fields are.
 */
export function BulkActionFields({ given = DEFAULTS, errors = {} }: Props) {
  const [kind, setKind] = useState(given.kind)
  const isHydrated = useHydrated()
  const asks = (what: string) => !isHydrated || kind === what
  const number = (name: 'days' | 'units') => ({
    id: `bulk-${name}`,
    name,
    errors: errors[name] ?? [],
    defaultValue: given[name],
    inputMode: 'numeric' as const,
  })
  return (
    <>
      <SelectField
        id="bulk-kind"
        name="kind"
        label="What"
        options={KINDS}
        value={kind}
        onChange={({ currentTarget }) => setKind(currentTarget.value)}
        errors={errors.kind}
      />
      {asks('add-days') && <Field {...number('days')} label="Days" />}
      {asks('gift-quota') && <Field {...number('units')} label="Videos to give" />}
      {asks('change-plan') && (
        <SelectField
          id="bulk-plan"
          name="plan"
          label="New plan"
          options={PLANS}
          defaultValue={given.plan}
          errors={errors.plan}
        />
      )}
    </>
  )
}
