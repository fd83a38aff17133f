export type ThrottleResult = { ok: true } | { ok: false; retryAfterSeconds: number }

/** Counts tries per key within a time window. All processes share the counts. */
export type Throttle = {
  /** Consumes one try, or returns how many seconds to wait. */
  take(key: string): Promise<ThrottleResult>
  /** Returns a consumed try that turned out not to count. */
  giveBack(key: string): Promise<void>
}

/** docs/decisions/0078-who-is-throttled.md explains what each throttle counts, and why. */
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
  claimByNetwork: Throttle
  redeemByNetwork: Throttle
  redeemByUser: Throttle
  rewriteByUser: Throttle
  notificationMailByUser: Throttle
  notificationMailByAddress: Throttle
  notificationTestByUser: Throttle
  notificationAddressByUser: Throttle
}
