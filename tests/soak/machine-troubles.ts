import os from 'node:os'
import { freezeCluster } from '../support/cluster'
import { startBusyLoops } from '../support/strain'
import type { Span } from '../simulator/scenario'
import type { Trouble } from './troubles'

// Troubles with machines: processors, processes, the database, the disk, the bucket.

/** The most endless loops per processor core. */
const LOOPS_PER_CORE = 8
/** Free space that lasts for a moment and is less than the reserve. */
const NEARLY_FULL_BYTES = 2_000_000
/** Ranks after the rules of every other trouble. */
const LAST = 9

const busyProcessors: Trouble = {
  name: 'processors-busy',
  uses: 'processors',
  isOutage: false,
  play: async ({ rng, span, wait }) => {
    const perCore = 1 + rng.below(LOOPS_PER_CORE)
    const loops = startBusyLoops(perCore * os.availableParallelism())
    await wait(span(20, 90))
    await loops.stop()
  },
}

const kills: Trouble = {
  name: 'kill',
  uses: 'processes',
  isOutage: false,
  play: async ({ product, rng, span, wait }) => {
    for (let left = 3 + rng.below(4); left > 0; left--) {
      rng.pick([...product.workers, ...product.workers, ...product.webs]).kill()
      await wait(span(0.2, 8))
    }
  },
}

const freezeOne: Trouble = {
  name: 'freeze-one',
  uses: 'processes',
  isOutage: false,
  play: async ({ product, rng, span, wait }) => {
    const goOn = rng.pick([...product.workers, ...product.webs]).freeze()
    await wait(span(5, 90))
    goOn()
  },
}

const freezeAll: Trouble = {
  name: 'freeze-all',
  uses: 'processes',
  isOutage: true,
  play: async ({ product, span, wait }) => {
    // Responses take a moment, so that workers are frozen with orders under way.
    const rules = [{ when: { op: 'submit' as const }, do: { latencyMs: [2_000, 6_000] as Span } }]
    await product.control.play('freeze-all', { rules, rank: LAST })
    await wait(span(3, 12))
    const goOn = product.workers.map((worker) => worker.freeze())
    await wait(span(5, 90))
    for (const each of goOn) each()
    await product.control.end('freeze-all')
  },
}

const databaseStopped: Trouble = {
  name: 'database-stopped',
  uses: 'database',
  isOutage: true,
  play: async ({ product: { cluster }, rng, span, wait }) => {
    await cluster.stop(rng.pick(['fast', 'immediate']))
    await wait(span(5, 120))
    await cluster.restart()
  },
}

const databaseFrozen: Trouble = {
  name: 'database-frozen',
  uses: 'database',
  isOutage: true,
  play: async ({ product: { cluster }, span, wait }) => {
    const goOn = await freezeCluster(cluster.url)
    await wait(span(5, 120))
    goOn()
  },
}

const diskFull: Trouble = {
  name: 'disk-full',
  uses: 'storage',
  isOutage: true,
  isPossible: ({ product }) => product.disk !== undefined,
  play: async ({ product: { disk }, rng, span, wait }) => {
    await disk?.fill(rng.pick([0, NEARLY_FULL_BYTES]))
    await wait(span(15, 60))
    await disk?.empty()
  },
}

const bucketAway: Trouble = {
  name: 'bucket-away',
  uses: 'storage',
  isOutage: true,
  isPossible: ({ product }) => product.bucket !== undefined,
  play: async ({ product: { bucket }, rng, span, wait }) => {
    if (rng.below(2) === 0) await bucket?.refuse()
    else bucket?.hang()
    await wait(span(15, 60))
    await bucket?.open()
  },
}

export const MACHINE_TROUBLES: readonly Trouble[] = [
  busyProcessors,
  kills,
  freezeOne,
  freezeAll,
  databaseStopped,
  databaseFrozen,
  diskFull,
  bucketAway,
]
