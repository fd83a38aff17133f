import { z } from 'zod'
import { oneOf, optionalText } from '~/lib/fields'
import { plainDigits } from '~/lib/digits'
import { AppError } from '../errors'
import { CURRENCY_NAMES, readAmount, type Currency } from './money'
import { PAYMENT_METHODS, type PaymentMethodName } from './types'

const REFERENCE_CHARACTERS = 100

export const currency = oneOf('Currency', CURRENCY_NAMES)
export const method = oneOf('Method', PAYMENT_METHODS)
export const reference = optionalText({ label: 'Reference', max: REFERENCE_CHARACTERS })
const amount = optionalText({ label: 'Amount', max: 30 })

/** The fields *Paid* of the forms that sell time. Without the tick nothing is recorded. */
export const PAID_FIELDS = {
  isPaid: z.boolean().default(false),
  paidAmount: amount,
  paidCurrency: currency.default('PKR'),
  paidMethod: method.default('bank'),
  paidReference: reference,
  isRepeatSeen: z.boolean().default(false),
}
export const paidFields = z.object(PAID_FIELDS)
export type PaidFields = z.output<typeof paidFields>

/** What a form says about a payment. */
export type PaidTerms = {
  /** Null: what the plan costs for the time. */
  amount: number | null
  currency: Currency
  method: PaymentMethodName
  reference: string | null
  /** The administrator knows that another payment has this reference. */
  isRepeatSeen: boolean
}

/** Returns what the fields say, or null if no payment is to be recorded. Throws BAD_INPUT. */
export function paidOf(fields: PaidFields): PaidTerms | null {
  if (!fields.isPaid) return null
  const { paidAmount, paidCurrency, paidMethod, paidReference, isRepeatSeen } = fields
  return {
    amount: paidAmount === null ? null : amountOf('paidAmount', paidAmount, paidCurrency),
    currency: paidCurrency,
    method: paidMethod,
    reference: paidReference,
    isRepeatSeen,
  }
}

/** Returns a typed amount in minor units. Throws BAD_INPUT for the field of this name. */
export function amountOf(field: string, typed: string, unit: Currency): number {
  const minor = readAmount(plainDigits(typed), unit)
  if (minor !== null) return minor
  const problem = 'This is not an amount'
  throw new AppError('BAD_INPUT', problem, { fields: { [field]: [problem] } })
}
