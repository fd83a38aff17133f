import { z } from 'zod'
import { AppError } from '~/domain/errors'
import { digitsOf } from '~/lib/digits'
import { figure } from '~/lib/figures'

/** The confirmation of an action on many: the administrator types the number that was shown. */
export const typedNumber = z.object({
  expected: z.string(),
  typed: z.string({ required_error: 'Type the number shown above' }).transform(digitsOf),
})

type Numbers = { typed: string; expected: string | number }

/**
 * Throws BAD_INPUT on the field `typed` unless its digits are the number that the page showed.
 * `safe` says what did not happen.
 */
export function refuseOtherNumber({ typed, expected }: Numbers, safe: string): void {
  if (typed === String(expected)) return
  const problem = `Type ${figure(Number(expected))} to continue. ${safe}`
  throw new AppError('BAD_INPUT', problem, { fields: { typed: [problem] } })
}
