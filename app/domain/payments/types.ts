import { PAYMENT_KINDS } from '../context'
import type { Currency } from '~/lib/currencies'
import type { PlanName } from '../plans/types'

export const PAYMENT_STATES = ['claimed', 'confirmed', 'rejected', 'refunded'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** How a payment came: one of the accounts on the pricing page, or otherwise. */
export const PAYMENT_METHODS = [...PAYMENT_KINDS, 'cash', 'other'] as const
export type PaymentMethodName = (typeof PAYMENT_METHODS)[number]

/** Those of the book: people do not choose the last two. Nobody pays for what a referral gives. */
export const BOOK_METHODS = [...PAYMENT_METHODS, 'code', 'referral'] as const
export type BookMethod = (typeof BOOK_METHODS)[number]

/** A payment in minor units of its currency. */
export type Money = { amount: number; currency: string }

/** A user's newest payment that was confirmed and not refunded. */
export type LastPayment = Money & { plan: PlanName; method: string; receivedAt: string }

/** How a person recorded a payment last. */
export type LastPaid = { method: PaymentMethodName; currency: Currency }

/** A payment as administrators see it. Amounts are minor units; times are ISO 8601 in UTC. */
export type PaymentView = Money & {
  id: string
  userId: string | null
  /** It was claimed by somebody who was not signed in: nothing proves whose number it is. */
  isVisitors: boolean
  /** It is a claim in which no amount was typed: it has the plan's price. */
  isUntyped: boolean
  username: string
  plan: PlanName
  method: string
  reference: string | null
  receivedAt: string
  note: string | null
  /** Null: the customer claimed it. */
  recordedBy: string | null
  state: PaymentState
  reason: string | null
  decidedAt: string | null
  decidedBy: string | null
  changeId: string | null
  periodFrom: string | null
  periodTo: string | null
  refunded: number
  /** What a referral gave cost by the list. Null: it is another payment, or there is no price. */
  cost: number | null
  isRepeatSeen: boolean
  /** What identifies its reference, and its screenshot. */
  key: string | null
  screenshot: string | null
  hasScreenshot: boolean
}

/** What a currency's payments of a month add up to, of a plan, of a method, or of both alike. */
export type MonthTotal = {
  currency: string
  plan: PlanName | null
  method: string | null
  count: number
  received: number
  refunded: number
}
