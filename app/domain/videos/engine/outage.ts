import { setTimeout } from 'node:timers/promises'
import { isDatabaseUnavailable } from '~/platform/db/unavailable'
import type { Hold } from './leases'

const PAUSE_MS = 200

/**
 * Repeats a piece of work for as long as the database is away. It is meant for what only this process
 * knows and a failed job would lose: that an order was not sent yet, what the provider answered, or
 * that a clip is stored. The lease is extended meanwhile. The work may take effect twice, because an
 * answer can be lost after the commit. Any other error rejects.
 */
export async function throughOutage<T>(work: () => Promise<T>, hold?: Hold): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      hold?.touch()
      await setTimeout(PAUSE_MS)
    }
  }
}
