/** What an adapter gets besides its network. */
export type ProviderIo = {
  /** Milliseconds since 1970. */
  now(): number
  /** Takes note of something odd that is no error. Never called with anything secret. */
  note(facts: Readonly<Record<string, string>>, words: string): void
}

/** What every adapter that talks to a service is told by the operator. */
export type ServiceConfig = {
  baseUrl: string
  /** Hosts the operator wrote down, as `host` or `host:port`: they may be plain http and private. */
  trustedHosts: readonly string[]
  model: string
  /** Multiplies the adapter's own waits. */
  timeScale: number
  /** How long one order may take before it is given up. */
  deadlineMs: number
  /** Orders a minute that the provider takes from one account. */
  submitsPerMinute?: number
  maxInFlight?: number
}

/** An adapter that holds connections: `stop` closes them, and nothing works afterwards. */
export type Stoppable = { stop(): Promise<void> }
