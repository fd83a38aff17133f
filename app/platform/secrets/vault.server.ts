import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Vault } from './port'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Creates a vault that uses AES-256-GCM with the name as additional data. The first key encrypts
 * and every key may decrypt, so a key is rotated by adding a new one in front. Throws without a
 * key.
 */
export function createVault(keys: readonly string[]): Vault {
  const derived = keys.map((key) => createHash('sha256').update(key).digest())
  const [first] = derived
  if (!first) throw new Error('the vault needs a key')
  const seal: Vault['seal'] = (name, text) => {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(ALGORITHM, first, iv).setAAD(Buffer.from(name))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body])
  }
  const find = (name: string, sealed: Uint8Array) => {
    for (const key of derived) {
      const text = tryOpen(key, { name, sealed: Buffer.from(sealed) })
      if (text !== undefined) return { key, text }
    }
    return undefined
  }
  return {
    seal,
    open: (name, sealed) => {
      const found = find(name, sealed)
      if (found) return found.text
      throw new Error('no key opens this secret: is an old one missing in ENCRYPTION_KEY?')
    },
    reseal: (name, sealed) => {
      const found = find(name, sealed)
      if (!found) return 'unreadable'
      return found.key === first ? null : seal(name, found.text)
    },
  }
}

function tryOpen(
  key: Buffer,
  { name, sealed }: { name: string; sealed: Buffer },
): string | undefined {
  const iv = sealed.subarray(0, IV_BYTES)
  const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(name)).setAuthTag(tag)
  try {
    return (
      decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') +
      decipher.final('utf8')
    )
  } catch {
    return undefined
  }
}
