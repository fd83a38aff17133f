import type { PaymentMethodName, PaymentState } from './types'

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

export const METHOD_NAMES = {
  exchange: 'Exchange',
  wallet: 'Wallet',
  bank: 'Bank',
  cash: 'Cash',
  other: 'Other',
} as const satisfies Record<PaymentMethodName, string>

export const STATE_NAMES = {
  claimed: 'Claimed',
  confirmed: 'Confirmed',
  rejected: 'Rejected',
  refunded: 'Refunded',
} as const satisfies Record<PaymentState, string>
