import { figure, plural } from '~/lib/figures'
import type { VideoCost } from '../business/types'
import type { Plan, PlanName } from '../plans/types'
import { moneyText, priceOf } from './money'

/** How many videos a month the accounts of a plan use. */
export type PlanUse = {
  plan: PlanName
  /** Accounts that are 30 days old. */
  accounts: number
  /** What half of them used at most in the last 30 days. */
  median: number
  /** How many of them used more than the price pays for. */
  above: number
}

/** A plan's price beside what its videos cost. */
export type BreakEven = Omit<PlanUse, 'plan'> & { cost: VideoCost; paysFor: number }

/** Returns how many videos a month the price of a plan pays for. Null: it has no price in the cost's currency. */
export function paysFor(plan: Plan, { amount, currency }: VideoCost): number | null {
  const price = priceOf(plan, currency)
  return price === null ? null : Math.floor(price / amount)
}

/** Whether at least half of a plan's accounts use more than its price pays for. */
export const losesMoney = ({ accounts, median, paysFor }: BreakEven): boolean =>
  accounts > 0 && median > paysFor

/** Says from which video on a plan loses money, and how many its accounts use. */
export function breakEvenText(plan: PlanName, { cost, paysFor, ...use }: BreakEven): string {
  const point = `At ${moneyText(cost)} a video, ${plan} loses money from video ${figure(paysFor + 1)} of a month.`
  if (use.accounts === 0) return `${point} No account has been here for 30 days yet.`
  const share = Math.round((100 * use.above) / use.accounts)
  return `${point} ${plural(use.accounts, 'account')} of 30 days or more: half used at most ${figure(use.median)} in the last 30 days; ${share} % of them used more than the price pays for.`
}

export type BreakEvens = Partial<Record<PlanName, BreakEven>>

/** What is said of a plan that is sold, and whether it loses money. */
export type SoldBreakEven = { text: string; loses: boolean }
