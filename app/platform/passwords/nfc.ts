import type { Passwords } from './port'

/**
 * Hashes and compares passwords in normal form C (RFC 8265, §4), so that a password matches however
 * a keyboard composes its characters. Hashes made before this rule may be of another form. For
 * those the password is also compared exactly as typed.
 */
export function nfcPasswords({ hash, verify }: Passwords): Passwords {
  return {
    hash: (password) => hash(password.normalize('NFC')),
    verify: async (stored, password) => {
      const composed = password.normalize('NFC')
      if (await verify(stored, composed)) return true
      return composed !== password && verify(stored, password)
    },
  }
}
