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
