import { Secret, TOTP } from 'otpauth'

/** An authenticator app with one key, and a clock: the device's own where none is given. */
export function authenticator(key: string, now: () => number = Date.now) {
  const totp = new TOTP({ secret: Secret.fromBase32(key) })
  const codeAt = (later: number) => totp.generate({ timestamp: now() + later * 30_000 })
  return {
    /** The code of now, or of so many half minutes later. */
    code: (later = 0) => codeAt(later),
    /** Six digits that are none of the codes around now. */
    wrongCode: () => {
      const near = [-2, -1, 0, 1, 2].map(codeAt)
      return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
        (code) => !near.includes(code),
      )!
    },
  }
}
