import { setTimeout } from 'node:timers/promises'
import { seconds } from '~/lib/time'
import { isDatabaseAway } from '~/platform/db/away'

/** A worker without a database ends before that; see jobs/worker.ts. */
const PATIENCE_MS = seconds(10)
const PAUSE_MS = 200

/**
 * Does a piece of work again while the database is away. For what only this process knows and would
 * be lost with the job: that an order was not sent yet, or that the provider took it. The work may
 * run twice, because an answer can be lost after the commit. Rejects as the last try did.
 */
export async function throughOutage<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > until) throw error
      // Not the worker's own sleep, which ends at once where it is stopping.
      await setTimeout(PAUSE_MS)
    }
  }
}
