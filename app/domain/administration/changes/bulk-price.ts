import { priceFor } from '../../payments/money'
import type { PlanName, Plans } from '../../plans/types'
import { RENEW_DAYS } from './bulk-rules'
import type { BulkAction, BulkKind } from './bulk-schemas'

/** How many users of a change have a plan. */
export type OnPlan = { plan: PlanName | null; count: number }

/** Returns whether users pay for a change of this kind. */
export const sellsTime = (kind: BulkKind): boolean => kind === 'renew' || kind === 'add-days'

/** Returns the days that an action adds. */
export const soldDays = (action: BulkAction): number =>
  action.kind === 'add-days' ? action.days : RENEW_DAYS

/** Returns what an action's days cost for all users, in minor units of PKR, or null if one of them has no plan. */
export function priceOfAll(
  plans: Plans,
  onPlans: readonly OnPlan[],
  action: BulkAction,
): number | null {
  let sum = 0
  for (const { plan, count } of onPlans) {
    const price = plan && priceFor({ plans, plan, days: soldDays(action), instead: null }, 'PKR')
    if (price === null) return null
    sum += price * count
  }
  return sum
}
