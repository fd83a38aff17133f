import { z } from 'zod'
import { oneOf, optionalText, searchText, trimmedText } from '~/lib/fields'
import { plainDigits } from '~/lib/digits'
import { AppError } from '../errors'
import { CURRENCY_NAMES, type Currency } from '~/lib/currencies'
import { amountProblem, priceOf, readAmount } from './money'
import { PLAN_NAMES, type Plans } from '../plans/types'
import { CHOOSE_METHOD } from './rules'
import {
  BOOK_METHODS,
  PAYMENT_METHODS,
  PAYMENT_STATES,
  type BookMethod,
  type PaymentMethodName,
} from './types'

const REFERENCE_CHARACTERS = 100

export const currency = oneOf('Currency', CURRENCY_NAMES)
export const method = oneOf('Method', PAYMENT_METHODS)
export const reference = optionalText({ label: 'Reference', max: REFERENCE_CHARACTERS })
const amount = optionalText({ label: 'Amount', max: 30 })

/**
 * The fields *Paid by* of the forms that sell time. Without a method, a reference or an amount nothing is
 * recorded. `paidBefore`: the method that the page showed as the last one.
 */
export const PAID_FIELDS = {
  paidAmount: amount,
  paidCurrency: currency.default('PKR'),
  paidMethod: method.optional(),
  paidBefore: method.optional(),
  paidReference: reference,
  isRepeatSeen: z.boolean().default(false),
}
export const paidFields = z.object(PAID_FIELDS)
export type PaidFields = z.output<typeof paidFields>

/** What is known about a payment. */
export type PaidTerms = {
  /** Null: what the plan costs for the time. */
  amount: number | null
  currency: Currency
  method: BookMethod
  reference: string | null
  /** The administrator knows that another payment has this reference. */
  isRepeatSeen: boolean
  /** Of a prepaid code: whom it was sold to, and when, if that is when it counts. */
  sold?: { note: string | null; at: string | null }
}

/** What a form says about a payment. Nobody types that a prepaid code was used. */
export type TypedPayment = Omit<PaidTerms, 'sold'> & { method: PaymentMethodName }

/** Returns what the fields say, or null if no payment is to be recorded. Throws BAD_INPUT. */
export function paidOf(fields: PaidFields): TypedPayment | null {
  const { paidAmount, paidCurrency, paidMethod, paidBefore, paidReference, isRepeatSeen } = fields
  const isPaid = paidMethod !== undefined || paidReference !== null || paidAmount !== null
  if (!isPaid) return null
  const by = paidMethod ?? paidBefore
  if (by === undefined)
    throw new AppError('BAD_INPUT', CHOOSE_METHOD, { fields: { paidMethod: [CHOOSE_METHOD] } })
  return {
    amount: paidAmount === null ? null : amountOf('paidAmount', paidAmount, paidCurrency),
    currency: paidCurrency,
    method: by,
    reference: paidReference,
    isRepeatSeen,
  }
}

/** Returns a typed amount in minor units. Throws BAD_INPUT for the field of this name. */
export function amountOf(field: string, typed: string, unit: Currency): number {
  const plain = plainDigits(typed)
  const minor = readAmount(plain, unit)
  if (minor !== null) return minor
  const problem = amountProblem(plain, unit)
  throw new AppError('BAD_INPUT', problem, { fields: { [field]: [problem] } })
}

const TEXT_CHARACTERS = 300

const reason = trimmedText({
  label: 'Reason',
  max: TEXT_CHARACTERS,
  tooShort: 'Please enter a reason',
})
const NO_AMOUNT = 'Please enter the amount'
const typedAmount = trimmedText({ label: 'Amount', max: 30, tooShort: NO_AMOUNT })

/** `how`: 30 more days, or a better plan until the end that the account has. */
export const confirmInput = z.object({
  id: z.string(),
  how: oneOf('What', ['renew', 'upgrade']).default('renew'),
  isRepeatSeen: z.boolean().default(false),
})
export type ConfirmInput = z.output<typeof confirmInput>

export const rejectInput = z.object({ id: z.string(), reason })
export type RejectInput = z.output<typeof rejectInput>

export const refundInput = rejectInput.extend({ amount: typedAmount })
export type RefundInput = z.output<typeof refundInput>

/** What a customer says about a payment. Without an amount: what the plan costs. */
export const claimInput = z.object({
  plan: oneOf('Plan', PLAN_NAMES),
  method,
  amount,
  currency,
  reference,
  note: optionalText({ label: 'Note', max: TEXT_CHARACTERS }),
})
export type ClaimInput = z.output<typeof claimInput>

/**
 * Returns what a customer has paid, in minor units. Throws BAD_INPUT, also without an amount where the plan
 * has no price.
 */
export function claimedAmount({ plan, amount, currency }: ClaimInput, plans: Plans): number {
  const minor =
    amount === null ? priceOf(plans[plan], currency) : amountOf('amount', amount, currency)
  if (minor) return minor
  throw new AppError('BAD_INPUT', NO_AMOUNT, { fields: { amount: [NO_AMOUNT] } })
}

/** Part of a name or a reference. */
const searched = searchText(100).catch('').default('')

/** Query of the book's page. Invalid values count as missing. */
export const paymentsQuery = z.object({
  state: z.enum(PAYMENT_STATES).optional().catch(undefined),
  method: z.enum(BOOK_METHODS).optional().catch(undefined),
  plan: z.enum(PLAN_NAMES).optional().catch(undefined),
  month: z
    .string()
    .regex(/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined),
  customer: searched,
  reference: searched,
  /** Id of the last payment of the previous page. */
  after: z.string().uuid().optional().catch(undefined),
})
export type PaymentsQuery = z.output<typeof paymentsQuery>
