import { PAYMENT_KINDS } from '../context'
import type { PlanName } from '../plans/types'

export const PAYMENT_STATES = ['claimed', 'confirmed', 'rejected', 'refunded'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** How a payment came: one of the accounts on the pricing page, or otherwise. */
export const PAYMENT_METHODS = [...PAYMENT_KINDS, 'cash', 'other'] as const
export type PaymentMethodName = (typeof PAYMENT_METHODS)[number]

/** A payment in minor units of its currency. */
export type Money = { amount: number; currency: string }

/** A user's newest payment that was confirmed and not refunded. */
export type LastPayment = Money & { plan: PlanName; method: string; receivedAt: string }

/** What an administrator records about a payment. */
export type Paid = Money & { method: PaymentMethodName; reference: string | null }
