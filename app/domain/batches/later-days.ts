import { figure } from '~/lib/figures'
import { dayAndMonth, days } from '~/lib/time'

/** The prompts that a plan's end leaves waiting until it is renewed. */
export type BeyondPlan = {
  prompts: number
  /** The plan's last day, as the account's page names it (ISO 8601). */
  planEnd: string
}

type Later = {
  /** Prompts without a unit of today. */
  prompts: number
  /** Units of each further day, and when the first of these days begins. */
  perDay: number
  firstAt: Date
  /** When the plan ends; null: never. */
  planEnd: Date | null
}

/** Returns when an account with this end of its plan orders nothing more: a day later (`isExpired`). */
const ordersUntil = (planEnd: Date | null): number =>
  planEnd === null ? Infinity : planEnd.getTime() + days(1)

/** Returns a time only if the plan lasts until then, so that nothing after its end is promised. */
export const withinPlan = (at: Date | null, planEnd: Date | null): Date | null =>
  at !== null && at.getTime() < ordersUntil(planEnd) ? at : null

/**
 * Returns when the last of the prompts get their units, or null if the plan ends before, and which of
 * them wait for its renewal.
 */
export function laterDays({ prompts, perDay, firstAt, planEnd }: Later): {
  lastAt: Date | null
  beyondPlan: BeyondPlan | null
} {
  const units = Math.max(1, perDay)
  const start = firstAt.getTime()
  const lastAt = new Date(start + days(Math.ceil(prompts / units) - 1))
  if (planEnd === null || withinPlan(lastAt, planEnd)) return { lastAt, beyondPlan: null }
  const daysLeft = Math.max(0, Math.ceil((ordersUntil(planEnd) - start) / days(1)))
  const left = prompts - daysLeft * units
  return { lastAt: null, beyondPlan: { prompts: left, planEnd: planEnd.toISOString() } }
}

/** Says what the plan's end means for prompts that it leaves waiting, or for those not sent by then. */
export function planEndText({
  planEnd,
  prompts,
}: Pick<BeyondPlan, 'planEnd'> & Partial<BeyondPlan>): string {
  const wait =
    prompts === undefined
      ? 'What is not sent by then waits'
      : `About ${figure(prompts)} of these prompts ${prompts === 1 ? 'waits' : 'wait'}`
  // The day as the account's page names it.
  return `Your plan ends on ${dayAndMonth(planEnd.slice(0, 10))}. ${wait} until it is renewed.`
}
