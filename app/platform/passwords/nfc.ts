import type { Passwords } from './port'

/**
 * The same password however a keyboard composes it: hashed and compared in normal form C (RFC 8265,
 * §4). Hashes of what was typed in another form are from before this; they match what is typed like that.
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
