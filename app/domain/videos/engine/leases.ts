import { newId } from '~/lib/ids'
import { seconds } from '~/lib/time'

/**
 * Duration of a lease. A worker extends the leases of its running steps with its heartbeats
 * (processes.server.ts), several times within that span. When a lease expires, another worker takes
 * over the attempt.
 */
export const LEASE_MS = seconds(15)

/** The lease of one attempt, as stored in its row. */
export type Lease = { id: string; leaseToken: string }

/** A step that runs in this process. */
export type RunningStep = {
  /**
   * When the lease was requested, by `performance.now()`. The lease begins then or slightly later.
   */
  askedAt: number
  /** Reports progress of the step: its lease may be extended for another `patienceMs`. */
  touch: () => void
  /** Ends the step, whether it succeeded or failed. */
  release: () => void
}

export type Leases = {
  /** The id of this process. */
  holder: string
  /**
   * Registers a running step. Its lease is extended as long as the last touch is less than
   * `patienceMs` ago. A step that hangs therefore loses its lease; a step of a busy process does
   * not.
   */
  start: (lease: Lease, step: { patienceMs: number; askedAt: number }) => RunningStep
  /** Returns the leases of the steps that are still making progress. */
  extendable: () => Lease[]
}

/** Creates the registry of the steps that run in this process. */
export function openLeases(holder: string = newId()): Leases {
  const running = new Map<string, { lease: Lease; patienceMs: number; touchedAt: number }>()
  return {
    holder,
    start: (lease, { patienceMs, askedAt }) => {
      const entry = { lease, patienceMs, touchedAt: performance.now() }
      running.set(lease.leaseToken, entry)
      return {
        askedAt,
        touch: () => (entry.touchedAt = performance.now()),
        release: () => running.delete(lease.leaseToken),
      }
    },
    extendable: () =>
      [...running.values()]
        .filter(({ touchedAt, patienceMs }) => performance.now() - touchedAt < patienceMs)
        .map(({ lease }) => lease),
  }
}
