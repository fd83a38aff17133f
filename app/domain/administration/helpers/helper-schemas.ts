import { z } from 'zod'
import { wholeNumber } from '~/lib/fields'
import { RIGHTS } from '../../context'

const right = z.enum(RIGHTS)

/** The form with a helper's rights. An unticked one is not sent. */
export const helperRightsInput = z
  .object({
    id: z.string(),
    rights: z.union([right.transform((one) => [one]), z.array(right)]).default([]),
    regeneratePerDay: wholeNumber({
      label: 'Videos a day',
      min: 0,
      max: 10_000,
      tooSmall: 'Must be at least 0',
    }),
    confirmUpTo: wholeNumber({
      label: 'Amount',
      min: 0,
      max: 1_000_000_000,
      tooSmall: 'Must be at least 0',
      isExact: true,
    }),
    codesUpTo: wholeNumber({
      label: 'Amount',
      min: 0,
      max: 1_000_000_000,
      tooSmall: 'Must be at least 0',
      isExact: true,
    }).default(0),
    confirmCurrency: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^([A-Z]{3})?$/, 'Must be a currency such as PKR')
      .default(''),
  })
  .refine(
    ({ confirmUpTo, codesUpTo, confirmCurrency }) =>
      confirmUpTo + codesUpTo === 0 || confirmCurrency !== '',
    { message: 'Name the currency', path: ['confirmCurrency'] },
  )
export type HelperRightsInput = z.output<typeof helperRightsInput>
