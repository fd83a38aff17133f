/** Replaces the digits of all scripts by ASCII digits. */
export const plainDigits = (text: string): string => text.replace(/(?![0-9])\p{Nd}/gu, asciiDigit)

/**
 * Returns the digits of a number as people type it, in the digits of any script and with the
 * separators of any language: '1,234' and '1.234' are '1234'.
 */
export const digitsOf = (text: string): string => plainDigits(text).replace(/\D/g, '')

/**
 * Returns the ASCII digit for a digit of any script. Unicode encodes the digits of a script in runs
 * of ten, from 0 to 9 (Unicode standard, §4.6).
 */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value % 10)
}

/** 5e3 or 1.5E+21. */
const EXPONENT = /^[+-]?\d[\d.,]*e[+-]?\d/i

/** 0x10, 0b11 and 1_000, as programs write numbers: their first digits would be another number. */
const AS_IN_CODE = /^[+-]?(?:0[xob][\da-f]|\d+_\d)/i

/** A number with one sign between its groups of digits, as some language writes it: 1.234 or 12,34,567. */
const GROUPED = /^\d{1,3}([.,'’\s])(?:\d{2,3}\1)*\d{3}$/

/**
 * Returns the whole number at the start of a value, in the digits of any script and with the
 * separators of any language, or null if there is none, or if it has an exponent or is
 * written as in code: its first digits would be another number.
 */
export function readWholeNumber(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = plainDigits(String(value)).trim()
  if (EXPONENT.test(text) || AS_IN_CODE.test(text)) return null
  // A number has no separators: 1.234 is one and a fraction.
  const isGrouped = typeof value === 'string' && GROUPED.test(text)
  const found = Number.parseInt(isGrouped ? digitsOf(text) : text, 10)
  return Number.isSafeInteger(found) ? found : null
}

/** A whole number and nothing else. Zeros after a separator change nothing: 30.0 is 30. */
const WHOLE = /^[+-]?\d+(?:[.,]0{1,2})?$/

/**
 * Returns whether a text is a whole number however it is written. `readWholeNumber` also reads the
 * start of '3.5' and '12abc'.
 */
export function isWholeNumber(text: string): boolean {
  const plain = plainDigits(text).trim()
  return WHOLE.test(plain) || GROUPED.test(plain)
}
