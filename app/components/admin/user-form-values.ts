import { planNumbers } from '~/domain/administration/rules'
import { PLAN_NAMES } from '~/domain/plans/types'

type Defaults = Readonly<Record<string, string | number | null>>

/**
 * Returns the values that a form's fields open with: those of the draft in the page's query string,
 * which contains what was typed when 'Use plan values' was pressed; the numbers of the draft's plan;
 * the defaults.
 */
export function userFormValues(defaults: Defaults, draft: URLSearchParams): Record<string, string> {
  const plan = PLAN_NAMES.find((name) => name === draft.get('f-plan'))
  const ofPlan: Record<string, number> = plan ? planNumbers(plan) : {}
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      String(draft.get(`f-${name}`) ?? ofPlan[name] ?? value ?? ''),
    ]),
  )
}
