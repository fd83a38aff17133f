import { z } from 'zod'
import { readDay } from './day'
import { figure } from './figures'
import { isWholeNumber, readWholeNumber } from './digits'
import { hasMoreLines, TOO_MANY_LINES } from './text-limits'
import { eitherOf, isCleanText, isLongerThan, trimText } from './text'

type TextRules = {
  label: string
  min?: number
  max: number
  tooShort?: string
  tooLong?: () => string
}

/**
 * Returns the schema of a required text field. Forms omit an empty field and JSON sends '', so both
 * get the same message.
 */
export function text({ label, min = 1, max, tooShort, tooLong }: TextRules) {
  const short = tooShort ?? `${label} is required`
  return z
    .string({ required_error: short, invalid_type_error: `${label} must be text` })
    .describe(`${figure(min)} to ${figure(max)} characters`)
    .refine(isCleanText, `${label} contains characters that cannot be stored`)
    .refine((value) => isLongerThan(value, min - 1), short)
    .refine(
      (value) => !isLongerThan(value, max),
      () => ({ message: tooLong?.() ?? `${label} can have at most ${figure(max)} characters` }),
    )
}

/**
 * Returns the schema of a text with one thing per line. Too many lines are refused before a transform splits
 * them: zod runs none on a value that has been refused.
 */
export const pastedText = (required: string) =>
  z.string({ required_error: required }).refine((text) => !hasMoreLines(text), TOO_MANY_LINES)

type TrimmedRules = { label: string; max: number; tooShort: string }

/** Returns the schema of a required text that is trimmed. The maximum applies to the trimmed text. */
export function trimmedText({ label, max, tooShort }: TrimmedRules) {
  const tooLong = () => `${label} can have at most ${figure(max)} characters`
  // Before trimming, only a text that is far too long is refused.
  return text({ label, max: max * 2, tooShort, tooLong })
    .transform(trimText)
    .refine((value) => value.length > 0, tooShort)
    .refine(
      (value) => !isLongerThan(value, max),
      () => ({ message: tooLong() }),
    )
    .describe(`1 to ${figure(max)} characters`)
}

/** Returns the schema of an optional text that is trimmed. A blank text counts as none (null). */
export const optionalText = ({ label, max }: Pick<TrimmedRules, 'label' | 'max'>) =>
  z
    .string({ invalid_type_error: `${label} must be text` })
    .describe(`up to ${figure(max)} characters`)
    .nullish()
    .transform((value) => {
      const trimmed = trimText(value ?? '')
      return trimmed === '' ? null : trimmed
    })
    .refine(
      (value) => value === null || isCleanText(value),
      `${label} contains characters that cannot be stored`,
    )
    .refine(
      (value) => value === null || !isLongerThan(value, max),
      `${label} can have at most ${figure(max)} characters`,
    )

/** Returns the schema of an optional calendar day, as YYYY-MM-DD. A blank one counts as none (null). */
export const optionalDay = (message = 'This is not a day') =>
  z
    .string()
    .optional()
    .transform((text = '') => (text.trim() === '' ? null : text.trim()))
    .refine((text) => text === null || readDay(text) !== null, message)

/** Returns the schema of a search term: part of a name or text, at most `max` characters. */
export const searchText = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `search can have at most ${max} characters`)
    .refine(isCleanText, 'search contains characters that cannot be searched for')

/** Returns the schema of one word of a closed list. The message names them all. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(
  label: string,
  words: Words,
) => z.enum(words, { errorMap: () => ({ message: `${label} must be ${eitherOf(words)}` }) })

/**
 * Returns the schema of a whole number that a program or a page of ours writes: a number, or digits and
 * nothing else. `z.coerce` would read null, true and '' as 0 or 1, and '0x10' as 16.
 */
export const plainWhole = (min: number, max: number) =>
  z
    .unknown()
    .describe(`${figure(min)} to ${figure(max)}`)
    .transform((value, ctx): number => {
      const found =
        typeof value === 'string' ? (/^\d{1,15}$/.test(value) ? Number(value) : NaN) : value
      if (typeof found === 'number' && Number.isSafeInteger(found) && found >= min && found <= max)
        return found
      const range = `must be a whole number from ${figure(min)} to ${figure(max)}`
      ctx.addIssue({ code: 'custom', message: `${ctx.path.join('.') || 'This'} ${range}` })
      return z.NEVER
    })

type WholeRules = {
  label: string
  min: number
  max: number
  tooSmall: string
  tooLarge?: string
  /** Refuses what is not a whole number instead of reading its start. For money. */
  isExact?: boolean
}

/**
 * Returns the schema of a whole number as people type it, for forms and JSON. '12.9', '12abc' and
 * the number 12.9 are read as 12 unless `isExact`, '1.234' and '1,234' as 1234; 'abc' is rejected.
 */
export function wholeNumber({ label, min, max, tooSmall, tooLarge, isExact }: WholeRules) {
  return z
    .unknown()
    .describe(`${figure(min)} to ${figure(max)}`)
    .transform((value, ctx): number => {
      const refuse = (message: string) => {
        ctx.addIssue({ code: 'custom', message })
        return z.NEVER
      }
      if (value === undefined || value === null || value === '')
        return refuse(`${label} is required`)
      const found = readWholeNumber(value)
      if (found === null) return refuse(`${label} must be a number`)
      const isWhole = typeof value === 'string' ? isWholeNumber(value) : Number.isInteger(value)
      if (isExact && !isWhole) return refuse(`${label} must be a whole number`)
      if (found < min) return refuse(tooSmall)
      return found > max ? refuse(tooLarge ?? `Cannot exceed ${figure(max)}`) : found
    })
}
