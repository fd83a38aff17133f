import { z } from 'zod'
import { oneOf, optionalDay, optionalText, text, wholeNumber } from '~/lib/fields'
import { CURRENCY_NAMES } from '~/lib/currencies'
import { isId } from '~/lib/ids'
import { CODE_INCOMES } from '../../business/types'
import { PLAN_NAMES } from '../../plans/types'

const MOST_CODES = 500
const MOST_DAYS = 3650
/** A typed code with its strokes and blanks. */
const LONGEST_TYPED = 60

const whole = (label: string, max: number) =>
  wholeNumber({ label, min: 1, max, tooSmall: `${label} must be at least 1`, isExact: true })

/** Prepaid codes to make. Without an amount each costs what the plan does; without a last day, it is in a year. */
export const makeCodesInput = z.object({
  plan: oneOf('Plan', PLAN_NAMES),
  days: whole('Days', MOST_DAYS),
  count: whole('Number of codes', MOST_CODES),
  amount: optionalText({ label: 'Amount', max: 30 }),
  currency: oneOf('Currency', CURRENCY_NAMES).default('PKR'),
  soldTo: optionalText({ label: 'Sold to', max: 100 }),
  note: optionalText({ label: 'Note', max: 300 }),
  lastDay: optionalDay(),
  seenPrice: z.boolean().default(false),
  /** Names the form, so that one that is sent twice makes its codes once. */
  lotId: z.string().refine(isId).optional().catch(undefined),
})
export type MakeCodesInput = z.output<typeof makeCodesInput>

/** The typed code. `seen` repeats what was said about the days that are left. */
export const redeemInput = z.object({
  code: text({ label: 'Code', max: LONGEST_TYPED }),
  seen: z.string().max(500).nullish().describe('the text of the refusal that asked for it'),
})

/** The same in a form, where `code` is a code of two-step sign-in. */
export const prepaidCode = text({ label: 'Code', max: LONGEST_TYPED })
export const redeemForm = z.object({ prepaidCode, seen: z.string().max(500).optional() })

/** One code, or the rest of those that were made together. */
export const chosenCodes = z.object({ id: z.string().optional(), lot: z.string().optional() })
export type ChosenCodes = z.output<typeof chosenCodes>

export const codeIncomeForm = z.object({ codeIncome: oneOf('Income', CODE_INCOMES) })

export const CODE_STATES = ['open', 'used', 'blocked', 'ended'] as const
export type CodeState = (typeof CODE_STATES)[number]

const uuid = z.string().uuid().optional().catch(undefined)

/** Query of the codes' page. Invalid values count as missing. */
export const codesQuery = z.object({
  state: z.enum(CODE_STATES).catch('open').default('open'),
  lot: uuid,
  /** Id of the last code of the previous page. */
  after: uuid,
})
export type CodesQuery = z.output<typeof codesQuery>
