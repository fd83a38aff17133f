import { createHash, randomBytes } from 'node:crypto'
import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { Secret, TOTP } from 'otpauth'

/** Seconds for which an authenticator app shows one code (RFC 6238 §5.2). */
export const STEP_SECONDS = 30
/**
 * Codes of this many steps before and after are accepted too, because clocks differ and typing
 * takes time.
 */
const WINDOW = 1

/** Uses what every authenticator app supports: SHA-1, six digits, 30 s. */
const totp = (key: string, label = '', issuer = '') =>
  new TOTP({ secret: Secret.fromBase32(key), label, issuer, period: STEP_SECONDS })

/** Generates a key: 160 random bits (RFC 4226 §4) in base32. */
export const newKey = (): string => new Secret({ size: 20 }).base32

/** Returns the step of a typed code if it is within the window, or null for a wrong code. */
export function stepOfCode(key: string, code: string, now: Date): number | null {
  // The library compares bytes, and throws for texts of the same length with different numbers of them.
  if (!/^[0-9]+$/.test(code)) return null
  const timestamp = now.getTime()
  const delta = totp(key).validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? null : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta
}

/** A key to be typed into an app, or scanned as a QR code: the path of an SVG `size` units wide. */
export type ShownKey = { key: string; address: string; path: string; size: number }

export function showKey(key: string, { username, product }: { username: string; product: string }) {
  const address = totp(key, username, product).toString()
  const code = generate(address)
  return { key, address, path: toSvgPath(code), size: code.size } satisfies ShownKey
}

/** Length of a recovery code in base32: 120 random bits, for which a plain hash is sufficient. */
const RECOVERY_CHARACTERS = 24
const RECOVERY_CODES = 10
const GROUP = 6

/** Generates ten recovery codes in a readable form: four groups of six characters. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const text = new Secret({ buffer: toArrayBuffer(randomBytes(15)) }).base32.toLowerCase()
    return (text.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-')
  })

const toArrayBuffer = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer

/**
 * Returns the stored hash of a recovery code, however it was typed, or null if it cannot be one.
 */
export function hashOfRecoveryCode(typed: string): Buffer<ArrayBuffer> | null {
  const text = typed.toLowerCase().replace(/[^a-z0-9]/g, '')
  return text.length === RECOVERY_CHARACTERS ? createHash('sha256').update(text).digest() : null
}
