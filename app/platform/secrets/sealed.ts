import type { z } from 'zod'
import type { Vault } from './port'

/** Returns functions for values that only this installation can write and read. */
export function sealed<Value, Given>(
  vault: Vault,
  name: string,
  shape: z.ZodType<Value, z.ZodTypeDef, Given>,
) {
  return {
    /** Returns the value as an encrypted text that fits into an address or a cookie. */
    make: (value: Given): string => vault.seal(name, JSON.stringify(value)).toString('base64url'),
    /**
     * Returns the value, or null if the text was not made under this name, or with a key that is no
     * longer configured.
     */
    read: (text: string): Value | null => {
      try {
        return shape.parse(JSON.parse(vault.open(name, Buffer.from(text, 'base64url'))))
      } catch {
        return null
      }
    },
  }
}
