import { z } from 'zod'

/** PostgreSQL text cannot hold NUL, and a lone surrogate is not text in any encoding. */
const NOT_TEXT = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

export const isCleanText = (value: string): boolean => !NOT_TEXT.test(value)

type TextRules = { label: string; min?: number; max: number; tooShort?: string; tooLong?: string }

/**
 * A required text field. A form sends nothing for an empty field and JSON sends '', so both get the
 * same words.
 */
export function text({ label, min = 1, max, tooShort, tooLong }: TextRules) {
  const short = tooShort ?? `${label} is required`
  return z
    .string({ required_error: short, invalid_type_error: `${label} must be text` })
    .refine(isCleanText, `${label} contains characters that cannot be stored`)
    .refine((value) => Array.from(value).length >= min, short)
    .refine(
      (value) => Array.from(value).length <= max,
      tooLong ?? `${label} can have at most ${max} characters`,
    )
}

type WholeRules = { label: string; min: number; max: number; tooSmall: string; tooLarge?: string }

/**
 * A whole number as people type it: '12.9' and '12abc' are 12, and so is the number 12.9; 'abc' is
 * refused (feature A-CREATE-9). The same from forms and from JSON.
 */
export function wholeNumber({ label, min, max, tooSmall, tooLarge }: WholeRules) {
  return z.unknown().transform((value, ctx): number => {
    const refuse = (message: string) => {
      ctx.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    if (value === undefined || value === null || value === '') return refuse(`${label} is required`)
    const found = readWholeNumber(value)
    if (found === null) return refuse(`${label} must be a number`)
    if (found < min) return refuse(tooSmall)
    return found > max ? refuse(tooLarge ?? `Cannot exceed ${max}`) : found
  })
}

/** The whole number at the start of a value, or null where there is none. */
export function readWholeNumber(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const found = Number.parseInt(String(value), 10)
  return Number.isSafeInteger(found) ? found : null
}
