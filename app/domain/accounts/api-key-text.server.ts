import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The beginning of every API key, by which secret scanners find one in code. */
const PREFIX = 'rm_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 36 random digits of 62 have 214 random bits. */
const RANDOM_DIGITS = 36
/** As many as a number of 32 bits needs. */
const CHECK_DIGITS = 6

const SHAPE = new RegExp(`^${PREFIX}([0-9A-Za-z]{${RANDOM_DIGITS}})([0-9A-Za-z]{${CHECK_DIGITS}})$`)

/** The characters of a key that are shown after it was made. */
const SHOWN_CHARACTERS = PREFIX.length + 4

const randomDigit = () => DIGITS.charAt(randomInt(DIGITS.length))

/** Returns the CRC-32 of a text in digits of 62, the most significant first. */
function checkOf(text: string): string {
  let rest = crc32(text)
  let check = ''
  for (let i = 0; i < CHECK_DIGITS; i++) {
    check = DIGITS.charAt(rest % DIGITS.length) + check
    rest = Math.floor(rest / DIGITS.length)
  }
  return check
}

/**
 * Returns a new API key: `rm_`, 36 random letters and digits, and a check of six that tells a real key
 * from a text that looks like one.
 */
export function newApiKey(): string {
  const random = Array.from({ length: RANDOM_DIGITS }, randomDigit).join('')
  return PREFIX + random + checkOf(random)
}

/** Returns whether a text has the form of an API key, and the right check. */
export function isApiKey(text: string): boolean {
  const [, random = '', check] = SHAPE.exec(text) ?? []
  return check === checkOf(random)
}

/** Returns the characters by which the owner of a key recognises it. They give no access. */
export const startOfKey = (key: string): string => key.slice(0, SHOWN_CHARACTERS)
