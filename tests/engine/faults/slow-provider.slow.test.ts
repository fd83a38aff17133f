import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PATIENCE_MS } from '../../support/engine/trials'
import type { Installation } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import {
  attemptsOf,
  downloadsOf,
  numbered,
  orderVideos,
  startScene,
  workersOf,
} from '../../support/scene'
import { startBusyLoops } from '../../support/strain'
import { until } from '../../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

// Slow is not dead: a step that makes progress keeps its lease, and its worker stays alive, however
// long the step takes. Each of these takes longer than a lease (15 s) and than the silence after
// which a process counts as dead (10 s).
const LONG_MS = 18_000
const BYTES = 900_000
const SLOW = { bytes: BYTES, bytesPerSecond: (BYTES * 1000) / LONG_MS }

test('W-JOB-3: downloads of 18 s with two workers: each clip is fetched once, both workers stay', async () => {
  const scene = await startScene({ flavour: 'vertex-veo', scenario: { defaults: SLOW } })
  const { product } = scene
  await Promise.all([product.startWorker(), product.startWorker()])
  const workers = await workersOf(product)
  expect(workers).toHaveLength(2)
  await orderVideos(await scene.user(), numbered('A slow river', 5))
  await scene.allAreDelivered()
  expect(await workersOf(product)).toEqual(workers)
  await scene.expectNothingWasted()
})

test('W-JOB-3: a provider without look-ups responds to orders after 18 s: one order each, no orphan', async () => {
  const scene = await startScene({
    flavour: 'gateway',
    scenario: { defaults: { submitLatencyMs: LONG_MS } },
  })
  const { product } = scene
  await Promise.all([product.startWorker(), product.startWorker()])
  const workers = await workersOf(product)
  await orderVideos(await scene.user(), numbered('A slow answer', 4))
  await scene.allAreDelivered()
  expect((await attemptsOf(product)).map(({ state }) => state)).toEqual(
    Array.from({ length: 4 }, () => 'done'),
  )
  expect(await workersOf(product)).toEqual(workers)
  await scene.expectNothingWasted()
})

/**
 * Watches for attempts with two jobs that can still run. The returned function stops it and returns
 * their ids.
 */
function watchForDoubles({ db }: Installation) {
  let isOver = false
  const watch = async () => {
    const doubled = new Set<string>()
    while (!isOver) {
      const { rows } = await db.query<{ id: string }>(
        `select payload->>'attemptId' as id from graphile_worker._private_jobs
         where payload->>'attemptId' is not null and attempts < max_attempts
         group by 1 having count(*) > 1`,
      )
      for (const { id } of rows) doubled.add(id)
      await sleep(5)
    }
    return [...doubled]
  }
  const found = watch()
  return () => {
    isOver = true
    return found
  }
}

/** As many as a first start orders at once. */
const CLIPS = 4

test('W-JOB-3: a worker is killed in the middle of its downloads: one wake-up for each, and each clip is fetched once more', async () => {
  const scene = await startScene({
    flavour: 'vertex-veo',
    scenario: { defaults: { bytes: BYTES, bytesPerSecond: BYTES / 6 } },
  })
  const { product, sim } = scene
  const first = await product.startWorker()
  await orderVideos(await scene.user(), numbered('A river', CLIPS))
  await until('all downloads', () => downloadsOf(sim).length === CLIPS)
  await product.startWorker()
  const stopWatching = watchForDoubles(product)
  await first.kill()
  await scene.allAreDelivered()
  expect(await stopWatching()).toEqual([])
  expect(downloadsOf(sim)).toHaveLength(2 * CLIPS)
  expect(sim.stats()).toMatchObject({ ordersAccepted: CLIPS, wastedOrders: 0 })
  expect(await findViolations(product.db)).toEqual({})
})

const LOOPS = 6

test(`W-JOB-3: ${LOOPS} endless loops occupy the processors: all clips are delivered, none is fetched twice, no worker is declared dead`, async () => {
  const scene = await startScene({
    flavour: 'vertex-veo',
    scenario: { defaults: { bytes: BYTES, bytesPerSecond: BYTES / 6 } },
  })
  const { product } = scene
  await Promise.all([product.startWorker(), product.startWorker()])
  const workers = await workersOf(product)
  const loops = startBusyLoops(LOOPS)
  onTestFinished(loops.stop)
  await orderVideos(await scene.user(), numbered('A busy street', 6))
  await scene.allAreDelivered()
  expect(await workersOf(product)).toEqual(workers)
  await scene.expectNothingWasted()
})
