import { setTimeout } from 'node:timers/promises'
import { isDatabaseUnavailable } from '~/platform/db/unavailable'
import type { RunningStep } from './leases'

const PAUSE_MS = 200

/**
 * Repeats `work` until the database is available. Used for facts that only this process knows and
 * that a failed job would lose: that an order was not sent yet, what the provider responded, or that
 * a clip is stored. The lease is extended meanwhile. `work` must be idempotent, because the
 * response to a commit can be lost. Rethrows any other error.
 */
export async function throughOutage<T>(work: () => Promise<T>, running?: RunningStep): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      running?.touch()
      await setTimeout(PAUSE_MS)
    }
  }
}
