import type { PlanName } from './types'

/** A plan's refund terms: a short form and the details (specification §9). */
type RefundTerms = {
  term: string
  details: string
  /** The part of the price that is returned, and for how many days after the payment. */
  share: { percent: number; days: number } | null
}

export const REFUND_TERMS: Record<PlanName, RefundTerms> = {
  Starter: {
    term: 'No refund',
    details: 'The smallest plan is meant for trying things out. What was paid is not returned.',
    share: null,
  },
  Professional: {
    term: 'No refund',
    details: 'What was paid for the month is not returned. The plan simply ends when it ends.',
    share: null,
  },
  Business: {
    term: '50% refund within 7 days',
    details: 'Ask within 7 days of your payment and half of the price is returned.',
    share: { percent: 50, days: 7 },
  },
  Enterprise: {
    term: '50% refund or replacement with a desktop tool within 10 days',
    details:
      'Ask within 10 days of your payment: half of the price is returned, or the plan is replaced with a desktop tool. You choose.',
    share: { percent: 50, days: 10 },
  },
}

/** Refund terms of all plans. */
export const GENERAL_REFUND_TERMS: readonly string[] = [
  'Refunds are processed in 5-7 business days.',
  'A refund goes back the way the payment came.',
  'To ask for one, write to us on the chat app with your username and the proof of payment.',
]
