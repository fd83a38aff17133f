import { days } from '~/lib/time'
import { REFUND_TERMS } from '../plans/refunds'
import type { BookMethod, PaymentState, PaymentView } from './types'

/**
 * Returns what of a reference identifies it: its letters and digits, in lower case. Null if it has
 * none.
 */
export function referenceKey(reference: string | null): string | null {
  const key = (reference ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
  return key === '' ? null : key
}

/** Said of a payment of which nothing tells how it was made. */
export const CHOOSE_METHOD = 'Choose how it was paid'

export const METHOD_NAMES = {
  exchange: 'Exchange',
  wallet: 'Wallet',
  bank: 'Bank',
  cash: 'Cash',
  other: 'Other',
  code: 'Prepaid code',
  referral: 'Referral',
} as const satisfies Record<BookMethod, string>

export const isMethod = (text: string): text is BookMethod => Object.hasOwn(METHOD_NAMES, text)

export const STATE_NAMES = {
  claimed: 'Claimed',
  confirmed: 'Confirmed',
  rejected: 'Rejected',
  refunded: 'Refunded',
} as const satisfies Record<PaymentState, string>

/** What the refund policy gives back of a payment. `until` is when that ends. */
export type RefundDue = { amount: number; until: string | null }

/** Returns what the refund policy gives back of a payment at `now`: 0 after its days. */
export function refundDue(
  { plan, amount, receivedAt }: Pick<PaymentView, 'plan' | 'amount' | 'receivedAt'>,
  now: Date,
): RefundDue {
  const { share } = REFUND_TERMS[plan]
  if (share === null) return { amount: 0, until: null }
  const until = new Date(Date.parse(receivedAt) + days(share.days))
  return {
    amount: until >= now ? Math.floor((amount * share.percent) / 100) : 0,
    until: until.toISOString(),
  }
}
