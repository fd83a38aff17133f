import { figure } from '~/lib/figures'
import { PLANS } from '../plans/catalogue'
import type { PlanName } from '../plans/types'
import type { Money } from './types'

/** The currencies that payments are recorded in (ISO 4217), with the number of their decimals. */
export const CURRENCIES = {
  PKR: 2,
  USD: 2,
  INR: 2,
  BDT: 2,
  AED: 2,
  SAR: 2,
  QAR: 2,
  OMR: 3,
  KWD: 3,
  BHD: 3,
  EUR: 2,
  GBP: 2,
  JPY: 0,
} as const satisfies Record<string, number>
export type Currency = keyof typeof CURRENCIES

export const isCurrency = (text: string): text is Currency => Object.hasOwn(CURRENCIES, text)

const decimalsOf = (currency: string): number => (isCurrency(currency) ? CURRENCIES[currency] : 2)

/** The largest amount that is recorded, in minor units: what the column holds. */
export const MOST_MINOR = 2_000_000_000

/** Days that a plan's price pays for. */
const MONTH_DAYS = 30

/** Returns the monthly price of a plan in minor units, or null in a currency without prices. */
export function priceOf(plan: PlanName, currency: Currency): number | null {
  const { rupees, dollars } = PLANS[plan]
  const major = currency === 'PKR' ? rupees : currency === 'USD' ? dollars : null
  return major === null ? null : major * 10 ** CURRENCIES[currency]
}

/**
 * Returns what an upgrade for the days left costs: the difference of the prices, by days, rounded to
 * whole units of the currency. Null if it costs nothing, or in a currency without prices.
 */
export function upgradePrice(
  { from, to, daysLeft }: { from: PlanName; to: PlanName; daysLeft: number },
  currency: Currency,
): number | null {
  const [before, after] = [priceOf(from, currency), priceOf(to, currency)]
  if (before === null || after === null) return null
  const unit = 10 ** CURRENCIES[currency]
  const price = Math.round(((after - before) * daysLeft) / MONTH_DAYS / unit) * unit
  return price > 0 ? price : null
}

/**
 * Returns a typed amount in minor units, or null if it is none. The last separator is the decimal
 * point if no more digits follow it than the currency has; others stand between groups of three.
 */
export function readAmount(typed: string, currency: Currency): number | null {
  const decimals = CURRENCIES[currency]
  const [, whole = '', cents = ''] =
    new RegExp(`^([\\d., ]*?)(?:[.,](\\d{1,${Math.max(decimals, 1)}}))?$`).exec(typed.trim()) ?? []
  if (cents !== '' && decimals === 0) return null
  if (!/^(\d+|\d{1,3}([., ]\d{3})+)$/.test(whole)) return null
  const minor =
    Number(whole.replace(/\D/g, '')) * 10 ** decimals + Number(cents.padEnd(decimals, '0'))
  return minor > 0 && minor <= MOST_MINOR ? minor : null
}

/** Returns an amount as a form's field contains it: 500, or 2.50. */
export function amountText({ amount, currency }: Money): string {
  const decimals = decimalsOf(currency)
  const unit = 10 ** decimals
  return (amount / unit).toFixed(amount % unit === 0 ? 0 : decimals)
}

/** Formats an amount: 1,500 PKR, or 2.50 USD. */
export const moneyText = (money: Money): string => `${figure(amountText(money))} ${money.currency}`
