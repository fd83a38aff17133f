/** The clock and log that an adapter receives. */
export type ProviderIo = {
  /** Milliseconds since 1970. */
  now(): number
  /** Logs something unusual that is not an error. Never called with secrets. */
  note(facts: Readonly<Record<string, string>>, words: string): void
}

/** The configuration common to all adapters of remote services. */
export type ServiceConfig = {
  baseUrl: string
  /**
   * Hosts from the operator's settings, as `host` or `host:port`. They may use plain http and
   * private addresses.
   */
  trustedHosts: readonly string[]
  model: string
  /** Multiplies the adapter's own waits. */
  timeScale: number
  /** How long one order may take before it is given up, in milliseconds. */
  deadlineMs: number
  /** How long one order usually takes, in milliseconds. */
  expectedMs: number
  /** Orders per minute that the provider accepts from one account. */
  submitsPerMinute?: number | undefined
  maxInFlight?: number | undefined
}

/** An adapter with open connections. `stop` closes them; the adapter cannot be used afterwards. */
export type Stoppable = { stop(): Promise<void> }
