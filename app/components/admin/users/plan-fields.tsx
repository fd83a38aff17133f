import type { FieldMetadata } from '@conform-to/react'
import { useEffect, useState } from 'react'
import { PLAN_FIELDS, PLAN_SHOWN } from '~/domain/administration/rules'
import { PLAN_NUMBERS, planNumbers } from '~/domain/plans/numbers'
import { PLAN_NAMES, type Plan, type PlanName } from '~/domain/plans/types'
import { buttonClass } from '../../ui/button'
import { Field, SelectField } from '../../ui/field'
import { textLinkClass } from '../../ui/text-link'
import { useHydrated } from '../../ui/use-hydrated'
import { usePlans } from '../use-plans'

const NUMBERS = {
  videoLimit: 'Daily video limit',
  speedLimit: 'Speed limit (videos at once)',
  videoGenerationSpeed: 'Generation speed (seconds)',
} as const

type PlanFieldset = Record<'plan' | keyof typeof NUMBERS, FieldMetadata>
type Props = { fields: PlanFieldset; hasNoPlan?: boolean }

/**
 * The plan and its three numbers. Choosing a plan fills in the numbers, which remain editable.
 * Without scripts the server does it, which therefore has to know what the form showed.
 */
export function PlanFields({ fields, hasNoPlan = false }: Props) {
  const isHydrated = useHydrated()
  const sold = usePlans()
  const [isFilled, setFilled] = useState(false)
  const fill = (form: HTMLFormElement | null, value: string) => {
    const plan = PLAN_NAMES.find((name) => name === value)
    if (!form || !plan) return
    fillNumbers(form, sold[plan])
    setFilled(true)
  }
  useChosenBefore(fields.plan.id)
  const plans = PLAN_NAMES.map((name) => ({
    value: name,
    label: sold[name].isOffered ? name : `${name} (not offered)`,
  }))
  const none = hasNoPlan ? [{ value: '', label: 'No plan' }] : []
  return (
    <>
      <SelectField
        field={fields.plan}
        label="Plan"
        options={[...none, ...plans]}
        onChange={({ currentTarget }) => fill(currentTarget.form, currentTarget.value)}
      />
      {!isHydrated && (
        <button name="usePlan" value="yes" formNoValidate className={buttonClass('plain')}>
          Use plan values
        </button>
      )}
      <div className="grid gap-4 sm:grid-cols-3 sm:[&_label]:flex sm:[&_label]:min-h-10 sm:[&_label]:items-end">
        {PLAN_NUMBERS.map((name) => (
          <Field key={name} field={fields[name]} label={NUMBERS[name]} inputMode="numeric" />
        ))}
      </div>
      {!isFilled && (
        <>
          <input
            type="hidden"
            name={PLAN_SHOWN}
            value={PLAN_FIELDS.map((name) => fields[name].initialValue).join(' ')}
          />
          <PlanHint fields={fields} isHydrated={isHydrated} fill={fill} />
        </>
      )}
    </>
  )
}

/** Fills in the numbers of a plan that was chosen before the scripts loaded. */
function useChosenBefore(id: string): void {
  useEffect(() => {
    const select = document.getElementById(id)
    if (!(select instanceof HTMLSelectElement)) return
    const isChosen = Array.from(select.selectedOptions).every((option) => !option.defaultSelected)
    const areUntouched = PLAN_NUMBERS.every((name) => {
      const input = select.form?.elements.namedItem(name)
      return input instanceof HTMLInputElement && input.value === input.defaultValue
    })
    if (isChosen && areUntouched) select.dispatchEvent(new Event('change', { bubbles: true }))
  }, [id])
}

type HintProps = {
  fields: PlanFieldset
  isHydrated: boolean
  fill: (form: HTMLFormElement | null, plan: PlanName) => void
}

/** The form opens with the specification's 60 seconds, a value that no plan has (decision Q-15). */
function PlanHint({ fields, isHydrated, fill }: HintProps) {
  const isStarter = fields.plan.initialValue === 'Starter'
  const { videoGenerationSpeed } = planNumbers(usePlans().Starter)
  if (!isStarter || fields.videoGenerationSpeed.initialValue === String(videoGenerationSpeed))
    return null
  return (
    <p className="text-sm text-soft">
      Starter is {videoGenerationSpeed} s.{' '}
      {isHydrated && (
        <button
          type="button"
          className={`${textLinkClass} md:min-h-9`}
          onClick={({ currentTarget }) => fill(currentTarget.form, 'Starter')}
        >
          Use plan values
        </button>
      )}
    </p>
  )
}

function fillNumbers(form: HTMLFormElement, plan: Plan): void {
  for (const [name, value] of Object.entries(planNumbers(plan))) {
    const input = form.elements.namedItem(name)
    if (input instanceof HTMLInputElement) input.value = String(value)
  }
}
