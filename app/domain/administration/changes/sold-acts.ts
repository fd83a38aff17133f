import { days } from '~/lib/time'
import { moneyText } from '../../payments/money'
import type { Money } from '../../payments/types'
import type { PlanName, Plans } from '../../plans/types'
import { listPrice, pricedAs, type Sale, type SoldState } from '../outcome'
import { RENEW_DAYS } from './bulk-rules'

/** How a customer got a plan or time: the tabs of the page of what was given without a payment. */
export const ACT_KINDS = ['created', 'renewed', 'upgraded', 'imported'] as const
export type ActKind = (typeof ACT_KINDS)[number]

export const ACT_NAMES = {
  created: 'Created',
  renewed: 'Renewed',
  upgraded: 'Upgraded',
  imported: 'Imported',
} as const satisfies Record<ActKind, string>

/** What one change in force gave to one customer. */
export type SoldAct = {
  /** Names the change and its user. */
  id: string
  changeId: string
  userId: string
  username: string
  kind: ActKind
  /** The plan of the customer after it. */
  plan: PlanName | null
  at: string
  by: string
  /** The end after it. Null: none. */
  to: string | null
  /** The days before that end that were given. Null: none, only a better plan; or there is no end. */
  days: number | null
  /** What it cost by the list: when it was paid, or now if it was not. Null: there is no price. */
  price: Money | null
  /** What was paid for it. Null: nothing, so far. */
  paid: Money | null
}

/** An act as it is stored, with the account as it is now. */
export type StoredAct = Omit<SoldAct, 'days' | 'price'> & {
  actorId: string
  isRenewal: boolean
  planBefore: PlanName | null
  from: string | null
  /** What was kept of the price when it was paid, in minor units. */
  paidPrice: number | null
  account: SoldState
}

/** Returns the days that an act gave. */
function daysOf({ isRenewal, from, to, at }: StoredAct): number | null {
  if (isRenewal) return RENEW_DAYS
  if (to === null || to === from) return null
  const start = Math.max(Date.parse(at), from === null ? 0 : Date.parse(from))
  return Math.round((Date.parse(to) - start) / days(1))
}

/** Returns what a late payment pays for. The account stays as it is. */
export function lateSale(act: StoredAct, paid: Sale['paid']): Sale {
  const { username, plan, planBefore, account, at, to } = act
  const sold = daysOf(act)
  const after = { ...account, plan }
  const before = sold === null ? { ...after, plan: planBefore } : after
  return { username, before, after, trashed: null, days: sold, paid, late: { at, to } }
}

/** Returns an act with its days, and with what it cost. */
export function toAct(act: StoredAct, plans: Plans): SoldAct {
  const { id, changeId, userId, username, kind, plan, at, by, to, paid } = act
  const currency = act.paid?.currency ?? 'PKR'
  const amount = act.paid
    ? act.paidPrice
    : listPrice(pricedAs(lateSale(act, null)), { plans, now: act.at }, currency)
  const price = amount === null ? null : { amount, currency }
  const what = { id, changeId, userId, username, kind, plan, at, by, to, paid }
  return { ...what, days: daysOf(act), price }
}

/** Returns whether an act has no payment, or one below the price. */
export const isUnpaid = ({ paid, price }: SoldAct): boolean =>
  paid === null || (price !== null && paid.amount < price.amount)

/** Says what of an act was paid: 500 PKR; 100 of 500 PKR; without a payment (500 PKR). */
export function paidText(act: SoldAct): string {
  const { paid, price } = act
  const cost = price === null ? '' : ` (${moneyText(price)})`
  if (paid === null) return `without a payment${cost}`
  return isUnpaid(act) ? `${moneyText(paid)}, below the price${cost}` : moneyText(paid)
}

/** Sums up what somebody sold: 3 sold · 700 PKR recorded · 2 without a payment (5,000 PKR). */
export function summaryOf(acts: readonly SoldAct[]): string {
  const paid = acts.flatMap((act) => act.paid ?? [])
  const unpaid = acts.filter((act) => act.paid === null)
  const below = acts.length - unpaid.length - acts.filter((act) => !isUnpaid(act)).length
  const worth = unpaid.flatMap(({ price }) => price ?? [])
  return [
    `${acts.length} sold`,
    ...(paid.length > 0 ? [`${sumsOf(paid)} recorded`] : []),
    ...(below > 0 ? [`${below} below the price`] : []),
    ...(unpaid.length > 0
      ? [`${unpaid.length} without a payment${worth.length > 0 ? ` (${sumsOf(worth)})` : ''}`]
      : []),
  ].join(' · ')
}

function sumsOf(all: readonly Money[]): string {
  const sums = new Map<string, number>()
  for (const { amount, currency } of all) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  return [...sums].map(([currency, amount]) => moneyText({ amount, currency })).join(', ')
}
