import { Secret, TOTP } from 'otpauth'

/** Returns an authenticator app with one key. `now` replaces the device's clock. */
export function authenticator(key: string, now: () => number = Date.now) {
  const totp = new TOTP({ secret: Secret.fromBase32(key) })
  const codeAt = (later: number) => totp.generate({ timestamp: now() + later * 30_000 })
  return {
    /** Returns the current code, or the one `later` half minutes later. */
    code: (later = 0) => codeAt(later),
    /** Returns six digits that differ from the codes around now. */
    wrongCode: () => {
      const near = [-2, -1, 0, 1, 2].map(codeAt)
      return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
        (code) => !near.includes(code),
      )!
    },
  }
}
