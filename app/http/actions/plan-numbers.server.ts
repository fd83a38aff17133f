import { PLAN_NUMBERS, PLAN_SHOWN, planNumbers } from '~/domain/administration/rules'
import { PLAN_NAMES, type PlanName } from '~/domain/plans/types'
import { formAgain } from '../forms/forms.server'

/** Shows the form again with the numbers of its plan. */
export function withPlanNumbers(data: FormData) {
  data.delete('usePlan')
  const plan = planOf(data)
  if (!plan) return formAgain(data, { kind: 'info', title: 'Choose a plan first' })
  fillNumbers(data, plan)
  return formAgain(data, { kind: 'info', title: `The numbers of ${plan} are filled in` })
}

const planOf = (data: FormData) => PLAN_NAMES.find((name) => name === data.get('plan'))

function fillNumbers(data: FormData, plan: PlanName): void {
  for (const [name, value] of Object.entries(planNumbers(plan))) data.set(name, String(value))
}

/**
 * Fills in the plan's numbers if another plan was chosen without scripts and the numbers were left as
 * shown. Pages whose scripts have filled them in do not send `PLAN_SHOWN`.
 */
export function followPlan(data: FormData): void {
  const shown = data.get(PLAN_SHOWN)
  data.delete(PLAN_SHOWN)
  const plan = planOf(data)
  if (!plan || typeof shown !== 'string') return
  const [planThen, ...numbers] = shown.split(' ')
  const areUntouched = PLAN_NUMBERS.every((name, i) => data.get(name) === numbers[i])
  if (plan !== planThen && areUntouched) fillNumbers(data, plan)
}
