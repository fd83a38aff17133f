export type ThrottleAnswer = { ok: true } | { ok: false; retryAfterSeconds: number }

/** Counts tries by key within a window; the counts are shared by all processes. */
export type Throttle = {
  /** Takes one try, or says how long to wait. */
  take(key: string): Promise<ThrottleAnswer>
  /** Gives the try back: it turned out not to count. */
  giveBack(key: string): Promise<void>
}

/** What each counts, and why: docs/decisions/0078-who-is-throttled.md. */
export type Throttles = {
  signInByNameAndNetwork: Throttle
  signInByNameAndBlock: Throttle
  signInByNetwork: Throttle
  signInByBlock: Throttle
  signInByName: Throttle
  signInByDevice: Throttle
  passwordByUser: Throttle
  codeByUser: Throttle
  registrationByNetwork: Throttle
  registrationByBlock: Throttle
}
