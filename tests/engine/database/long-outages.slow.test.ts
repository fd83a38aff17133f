import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator/simulator'
import { IS_LONG, openRng, PATIENCE_MS, SEED } from '../../support/engine/trials'
import { startInstallation, type Installation } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import { useOwnCluster } from '../../support/own-cluster'
import { until } from '../../support/wait'
import {
  untilNothingIsUnderWay,
  untilAttemptReaches,
  order,
  ATTEMPT_STATES,
} from '../../support/attempt-progress'

vi.setConfig({ testTimeout: PATIENCE_MS })

/**
 * Lengths of the outages in seconds. The long run adds the longest outage that the promises cover.
 */
const OUTAGES = IS_LONG ? [5, 10, 30, 120] : [5, 10, 30]
const ORDERS = 12

// Commits have to survive the stop, as on a real server.
const cluster = useOwnCluster({ synchronous_commit: 'on' })
let product: Installation
let sim: Simulator

beforeAll(async () => {
  // Orders, responses and clips are under way at any moment at which the database stops.
  sim = await startSimulator({
    scenario: { defaults: { generationMs: [500, 8_000], submitLatencyMs: [0, 4_000] } },
  })
  product = await startInstallation({ env: sim.env('vertex-veo') })
})
afterAll(async () => {
  await product.remove()
  await sim.stop()
})

test(`W-FAULT: the database is stopped abruptly for ${OUTAGES.join(', ')} s while videos are made: the worker keeps running, and all clips are delivered (seed ${SEED})`, async () => {
  const rng = openRng(10)
  const user = await product.user({ video_limit: 10_000, speed_limit: 50 })
  const worker = await product.startWorker()
  const taken: string[] = []
  for (const seconds of OUTAGES) {
    for (let i = 0; i < ORDERS; i++) taken.push(await order(user, `${seconds}-${i}`))
    await untilAttemptReaches(
      product,
      rng.pick(taken.slice(-ORDERS)),
      rng.pick(ATTEMPT_STATES.slice(1)),
    )
    await cluster.stop('immediate')
    await sleep(seconds * 1_000)
    await cluster.restart()
    await until('the page', async () => (await user.send('GET', '/app')).status === 200)
    expect(worker.child.exitCode, `after ${seconds} s`).toBeNull()
    await untilNothingIsUnderWay(product)
    expect(worker.child.exitCode, `after ${seconds} s and its work`).toBeNull()
  }
  const { rows } = await product.db.query<{ status: string; n: number }>(
    'select status::text, count(*)::int as n from videos group by 1',
  )
  expect(rows).toEqual([{ status: 'completed', n: taken.length }])
  expect(sim.stats()).toMatchObject({ ordersAccepted: taken.length, wastedOrders: 0 })
  expect(await findViolations(product.db)).toEqual({})
})
