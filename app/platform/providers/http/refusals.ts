import type { Fault } from '../port'
import type { Step } from './answers'
import { asked } from './retry-after'

/** A rejection as rules see it. Adapters add what only their own rules need. */
export type Refusal = {
  step: Step
  status: number
  message: string
  code?: string | undefined
  /** The field of the order that the provider names. */
  field?: string | undefined
  retryAfterMs: number | undefined
}
type Condition<R = Refusal> = (refusal: R) => boolean
export type Rule<R extends Refusal = Refusal> = {
  when: Condition<R>
  fault: (refusal: R) => Fault
}

/**
 * Returns the fault of the first rule that applies. Whether the order may have been accepted is
 * decided by the status alone (see `acceptanceOfAnswer`).
 */
export function firstFault<R extends Refusal>(rules: readonly Rule<R>[], refusal: R): Fault {
  const rule = rules.find(({ when }) => when(refusal))
  return rule?.fault(refusal) ?? { kind: 'permanent', reason: 'other' }
}

/** Applies to these statuses. */
export const is =
  (...statuses: number[]): Condition =>
  ({ status }) =>
    statuses.includes(status)

/** Applies to these statuses of one kind of request. */
export const during =
  (step: Step, ...statuses: number[]): Condition =>
  (refusal) =>
    refusal.step === step && statuses.includes(refusal.status)

/** Applies if the message or the code matches. */
export const says =
  (words: RegExp): Condition =>
  ({ code, message }) =>
    words.test(code ?? '') || words.test(message)

/** Applies if both conditions do. */
export const both =
  (one: Condition, other: Condition): Condition =>
  (refusal) =>
    one(refusal) && other(refusal)

/** Returns the fault of an account whose credit is used up. */
export const quotaExhausted = (): Fault => ({ kind: 'quota-exhausted', scope: 'account' })

/** Returns the fault of a refused order, with the field if the provider names one. */
export const invalidRequest = ({ field }: Refusal): Fault => ({
  kind: 'invalid-request',
  ...(field === undefined ? {} : { field }),
})

/** Returns the fault of too many requests, with the pause that the provider requests. */
export const rateLimited =
  (scope: 'account' | 'service') =>
  ({ retryAfterMs }: Refusal): Fault => ({ kind: 'rate-limited', scope, ...asked(retryAfterMs) })

/** Returns the fault of a refusal that may not recur, with the pause that the provider requests. */
export const transient = ({ retryAfterMs }: Refusal): Fault => ({
  kind: 'transient',
  ...asked(retryAfterMs),
})

/** The rules that are the same for every provider. Their place among the others is not. */
export const SHARED = {
  unauthorized: { when: is(401), fault: () => ({ kind: 'unauthorized' }) },
  notPaid: { when: is(402), fault: quotaExhausted },
  forbidden: { when: is(403), fault: () => ({ kind: 'permanent', reason: 'forbidden' }) },
  modelGone: {
    when: during('submit', 404),
    fault: () => ({ kind: 'permanent', reason: 'model-gone' }),
  },
  jobGone: {
    when: during('poll', 404),
    fault: () => ({ kind: 'permanent', reason: 'job-gone' }),
  },
  transient: {
    when: ({ status }) => [408, 409, 499].includes(status) || status >= 500,
    fault: transient,
  },
} satisfies Record<string, Rule>

/** Returns the rule for a clip that its host no longer has. Providers use different statuses. */
export const assetGone = (...statuses: number[]): Rule => ({
  when: during('fetch', ...statuses),
  fault: () => ({ kind: 'permanent', reason: 'asset-gone' }),
})
