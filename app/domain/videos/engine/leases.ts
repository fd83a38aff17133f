import { newId } from '~/lib/ids'
import { seconds } from '~/lib/time'

/**
 * How long a lease lasts. A worker extends the leases of its running steps at its heartbeats
 * (processes.server.ts), several times in that span. When a lease is over, another worker takes the
 * attempt.
 */
export const LEASE_MS = seconds(15)

/** The lease of one attempt, as its row names it. */
export type Lease = { id: string; leaseToken: string }

/** A step that runs in this process. */
export type Hold = {
  /** When the lease was asked for, by `performance.now()`: it began then, or a moment later. */
  askedAt: number
  /** Says that the step made progress: its lease is extended for `patienceMs` from now on. */
  touch: () => void
  /** The step is over, whatever came of it. */
  release: () => void
}

export type Leases = {
  /** The id of this process. */
  holder: string
  /**
   * Notes that a step runs here. Its lease is extended as long as the last touch is younger than
   * `patienceMs`: a step that hangs loses its attempt; a step of a busy process does not.
   */
  hold: (lease: Lease, step: { patienceMs: number; askedAt: number }) => Hold
  /** The leases of the steps that are still making progress. */
  extendable: () => Lease[]
}

/** Opens the list of the steps that run in this process. */
export function openLeases(holder: string = newId()): Leases {
  const held = new Map<string, { lease: Lease; patienceMs: number; touchedAt: number }>()
  return {
    holder,
    hold: (lease, { patienceMs, askedAt }) => {
      const entry = { lease, patienceMs, touchedAt: performance.now() }
      held.set(lease.leaseToken, entry)
      return {
        askedAt,
        touch: () => (entry.touchedAt = performance.now()),
        release: () => held.delete(lease.leaseToken),
      }
    },
    extendable: () =>
      [...held.values()]
        .filter(({ touchedAt, patienceMs }) => performance.now() - touchedAt < patienceMs)
        .map(({ lease }) => lease),
  }
}
