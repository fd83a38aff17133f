import { figure, plural } from '~/lib/figures'
import type { VideoCost, VideoCosts } from '../business/types'
import type { Plan, PlanName } from '../plans/types'
import type { Choice } from '../route'
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

/** Returns what a video costs at a provider. One without a cost of its own has that of the first. */
export const costAt = ({ others, amount, currency }: VideoCosts, provider: string): VideoCost => ({
  amount: others[provider] ?? amount,
  currency,
})

/** Says what a video costs at some providers, if these are several costs. */
export function costsText(costs: VideoCosts | null, providers: readonly Choice[]): string | null {
  if (costs === null) return null
  const known = providers.map(({ name, kind }) => ({ kind, cost: costAt(costs, name) }))
  if (new Set(known.map(({ cost }) => cost.amount)).size < 2) return null
  return `A video costs ${known.map(({ kind, cost }) => `${moneyText(cost)} at ${kind}`).join(', ')}.`
}

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
