import { randomInt } from 'node:crypto'

/**
 * Without characters that are easily confused, because the password is read aloud and typed on
 * phones.
 */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
const LENGTH = 10

/** Generates a random password with about 57 bits of entropy. */
export function generatePassword(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
