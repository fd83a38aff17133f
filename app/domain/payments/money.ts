import type { Currency } from '~/lib/currencies'
import { figure } from '~/lib/figures'
import type { Plan, PlanName, Plans } from '../plans/types'
import type { Money } from './types'

/** Those without two decimals. */
const DECIMALS: Readonly<Record<string, number>> = { OMR: 3, KWD: 3, BHD: 3, JPY: 0 }

/** Returns how many decimals a currency has. */
const decimalsOf = (currency: string): number => DECIMALS[currency] ?? 2

/** Returns the minor units of one unit of a currency. */
export const unitOf = (currency: string): number => 10 ** decimalsOf(currency)

/** The largest amount that is recorded, in minor units: what the column holds. */
export const MOST_MINOR = 2_000_000_000

/** Days that a plan's price pays for. */
const MONTH_DAYS = 30

/** The currencies in which plans have a price. */
export const PRICED = ['USD', 'PKR'] as const satisfies readonly Currency[]

/** Returns the monthly price of a plan in minor units, or null in a currency without prices. */
export function priceOf({ rupees, dollars }: Plan, currency: Currency): number | null {
  const major = currency === 'PKR' ? rupees : currency === 'USD' ? dollars : null
  return major === null ? null : major * unitOf(currency)
}

export type Sold = {
  /** The plans as sold now. */
  plans: Plans
  plan: PlanName
  days: number
  /** The plan that the account has for these days already. Null: none. */
  instead: PlanName | null
}

/**
 * Returns what a plan costs for some days, without what another plan has been paid for them, rounded to
 * whole units of the currency. Null if that is nothing, or in a currency without prices.
 */
export function priceFor({ plans, plan, days, instead }: Sold, currency: Currency): number | null {
  const month = priceOf(plans[plan], currency)
  const paid = instead === null ? 0 : priceOf(plans[instead], currency)
  if (month === null || paid === null) return null
  const unit = unitOf(currency)
  const price = Math.round(((month - paid) * days) / MONTH_DAYS / unit) * unit
  return price > 0 ? price : null
}

/** How people write a currency beside an amount, in lower case; its code is understood as well. */
const SIGNS: Readonly<Partial<Record<Currency, readonly string[]>>> = {
  PKR: ['rs.', 'rs', '₨', 'rupees'],
  INR: ['rs.', 'rs', '₹', '₨', 'rupees'],
  BDT: ['tk.', 'tk', '৳', 'taka'],
  USD: ['us$', '$', 'dollars'],
  AED: ['dhs', 'dh'],
  SAR: ['sr'],
  EUR: ['€'],
  GBP: ['£'],
  JPY: ['¥', '円'],
}

/** Returns an amount without the currency and the stroke that people write beside it: `Rs 200/-`. */
function withoutCurrency(typed: string, currency: Currency): string {
  let text = typed
    .trim()
    .toLowerCase()
    .replace(/\/[-=]$/, '')
    .trim()
  for (const sign of [...(SIGNS[currency] ?? []), currency.toLowerCase()]) {
    if (text.startsWith(sign)) text = text.slice(sign.length).trim()
    if (text.endsWith(sign)) text = text.slice(0, -sign.length).trim()
  }
  return text
}

/** One separator before three digits, of which the first may be cents or a group of thousands. */
const ONE_SEPARATOR = /^(\d{1,3})([.,])(\d{3})$/

/**
 * Returns whether a number can be read in two ways. A comma before three digits stands between thousands,
 * as the product writes them, unless the currency has three decimals; a point does so only where there
 * are no cents.
 */
function isAmbiguous(number: string, decimals: number): boolean {
  const sign = ONE_SEPARATOR.exec(number)?.[2]
  return (sign === '.' && decimals === 2) || (sign === ',' && decimals === 3)
}

/**
 * Returns a typed amount in minor units, or null if it is none. The currency may stand beside it, but no
 * other word: 5k or 2 lakh is for a person to read. The last separator is the decimal
 * point if no more digits follow it than the currency has; others stand between groups of three, of
 * which the first does not begin with 0. What can be read in two ways is no amount (`amountProblem`).
 */
export function readAmount(typed: string, currency: Currency): number | null {
  const decimals = decimalsOf(currency)
  const number = withoutCurrency(typed, currency)
  if (isAmbiguous(number, decimals)) return null
  const [, whole = '', cents = ''] =
    new RegExp(`^([\\d., ]*?)(?:[.,](\\d{1,${Math.max(decimals, 1)}}))?$`).exec(number) ?? []
  if (cents !== '' && decimals === 0) return null
  if (!/^(\d+|[1-9]\d{0,2}([., ]\d{2,3})*[., ]\d{3})$/.test(whole)) return null
  const minor =
    Number(whole.replace(/\D/g, '')) * unitOf(currency) + Number(cents.padEnd(decimals, '0'))
  return minor > 0 && minor <= MOST_MINOR ? minor : null
}

/** Returns why a text that `readAmount` does not take is no amount, as a sentence. */
export function amountProblem(typed: string, currency: Currency): string {
  const decimals = decimalsOf(currency)
  const number = withoutCurrency(typed, currency)
  if (!isAmbiguous(number, decimals)) return 'This is not an amount'
  const [, whole = '', , rest = ''] = ONE_SEPARATOR.exec(number) ?? []
  const small = `${whole}.${decimals === 2 ? rest.slice(0, 2) : rest}`
  return `${number} can be read in two ways. Write ${small}, or ${Number(whole + rest)}`
}

/** Returns an amount as a form's field contains it: 500, or 2.50. */
export function amountText({ amount, currency }: Money): string {
  const unit = unitOf(currency)
  return (amount / unit).toFixed(amount % unit === 0 ? 0 : decimalsOf(currency))
}

/** Formats an amount: 1,500 PKR, or 2.50 USD. */
export const moneyText = (money: Money): string => `${figure(amountText(money))} ${money.currency}`

/** Says what a helper asks the administrators to do. */
export const askedText = (claim: Money & { plan: PlanName; username: string }): string =>
  claim.amount === 0
    ? `give ${claim.plan} to ${claim.username} without a payment`
    : `confirm ${claim.plan}, ${moneyText(claim)} of ${claim.username}`
