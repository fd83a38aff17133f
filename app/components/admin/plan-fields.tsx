import type { ChangeEvent } from 'react'
import { planNumbers } from '~/domain/administration/rules'
import { PLAN_NAMES, type PlanName } from '~/domain/plans/types'
import { buttonClass } from '../ui/button'
import { Field, SelectField } from '../ui/field'
import { useHydrated } from '../ui/use-hydrated'
import type { UserFormState } from './user-form-state'

const NUMBERS = {
  videoLimit: 'Daily video limit',
  speedLimit: 'Speed limit (videos at once)',
  videoGenerationSpeed: 'Generation speed (seconds)',
} as const

type Props = { state: UserFormState; hasNoPlan?: boolean }

/** The plan and its three numbers. Choosing a plan fills in the numbers, which remain editable. */
export function PlanFields({ state, hasNoPlan = false }: Props) {
  const isHydrated = useHydrated()
  const plans = PLAN_NAMES.map((name) => ({ value: name, label: name }))
  const none = hasNoPlan ? [{ value: '', label: 'No plan' }] : []
  return (
    <>
      <SelectField
        {...state.field('plan')}
        label="Plan"
        options={[...none, ...plans]}
        onChange={fillNumbers}
      />
      {!isHydrated && (
        <button name="usePlan" value="yes" formNoValidate className={buttonClass('plain')}>
          Use plan values
        </button>
      )}
      <div className="grid gap-4 sm:grid-cols-3 sm:[&_label]:flex sm:[&_label]:min-h-10 sm:[&_label]:items-end">
        {Object.entries(NUMBERS).map(([name, label]) => (
          <Field key={name} {...state.field(name)} label={label} inputMode="numeric" />
        ))}
      </div>
      <PlanHint state={state} isHydrated={isHydrated} />
    </>
  )
}

/** The form opens with the specification's 60 seconds, a value that no plan has (decision Q-15). */
function PlanHint({ state, isHydrated }: { state: UserFormState; isHydrated: boolean }) {
  const isStarter = state.value('plan') === 'Starter'
  const { videoGenerationSpeed } = planNumbers('Starter')
  if (!isStarter || state.value('videoGenerationSpeed') === String(videoGenerationSpeed))
    return null
  return (
    <p className="text-sm text-soft">
      Starter is {videoGenerationSpeed} s.{' '}
      {isHydrated && (
        <button
          type="button"
          className="inline-flex min-h-11 items-center underline underline-offset-4 md:min-h-9"
          onClick={({ currentTarget }) => currentTarget.form && fill(currentTarget.form, 'Starter')}
        >
          Use plan values
        </button>
      )}
    </p>
  )
}

function fillNumbers({ currentTarget }: ChangeEvent<HTMLSelectElement>): void {
  const plan = PLAN_NAMES.find((name) => name === currentTarget.value)
  if (plan && currentTarget.form) fill(currentTarget.form, plan)
}

function fill(form: HTMLFormElement, plan: PlanName): void {
  for (const [name, value] of Object.entries(planNumbers(plan))) {
    const input = form.elements.namedItem(name)
    if (input instanceof HTMLInputElement) input.value = String(value)
  }
}
