import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import setup from '../setup/global'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { startThrowAwayCluster } from '../support/cluster'
import { IS_LONG, openRng, PATIENCE_MS, SEED } from '../support/engine/trials'
import { startInstallation, type Installation } from '../support/installation'
import { findViolations } from '../support/invariants'
import { until } from '../support/wait'
import { allAreMade, comesAsFarAs, order, WAY } from '../support/way'

vi.setConfig({ testTimeout: PATIENCE_MS })

/** How long the database is away, in seconds; the long form adds what is promised at most. */
const OUTAGES = IS_LONG ? [5, 10, 30, 120] : [5, 10, 30]
const ORDERS = 12

// A cluster of its own: it is stopped and started again.
let cluster: Awaited<ReturnType<typeof startThrowAwayCluster>>
let product: Installation
let sim: Simulator
const shared = process.env.TEST_CLUSTER_URL ?? ''

beforeAll(async () => {
  // What was committed has to survive the stop, as it does on a real server.
  cluster = await startThrowAwayCluster({ synchronous_commit: 'on' })
  process.env.TEST_CLUSTER_URL = cluster.url
  await setup()
  // Orders, answers and clips are on their way whenever the database goes.
  sim = await startSimulator({
    scenario: { defaults: { generationMs: [500, 8_000], submitLatencyMs: [0, 4_000] } },
  })
  product = await startInstallation({ env: sim.env('vertex-veo') })
})
afterAll(async () => {
  await product.remove()
  await sim.stop()
  await cluster.remove()
  process.env.TEST_CLUSTER_URL = shared
})

test(`W-FAULT: the database stops at once, for ${OUTAGES.join(', ')} s, while videos are made: the worker stays, and all are delivered (seed ${SEED})`, async () => {
  const rng = openRng(10)
  const user = await product.user({ video_limit: 10_000, speed_limit: 50 })
  const worker = await product.startWorker()
  const taken: string[] = []
  for (const seconds of OUTAGES) {
    for (let i = 0; i < ORDERS; i++) taken.push(await order(user, `${seconds}-${i}`))
    await comesAsFarAs(product, rng.pick(taken.slice(-ORDERS)), rng.pick(WAY.slice(1)))
    await cluster.stop('immediate')
    await sleep(seconds * 1_000)
    await cluster.restart()
    await until('the page', async () => (await user.send('GET', '/app')).status === 200)
    expect(worker.child.exitCode, `after ${seconds} s`).toBeNull()
    await allAreMade(product)
    expect(worker.child.exitCode, `after ${seconds} s and its work`).toBeNull()
  }
  const { rows } = await product.db.query<{ status: string; n: number }>(
    'select status::text, count(*)::int as n from videos group by 1',
  )
  expect(rows).toEqual([{ status: 'completed', n: taken.length }])
  expect(sim.stats()).toMatchObject({ ordersAccepted: taken.length, wastedOrders: 0 })
  expect(await findViolations(product.db)).toEqual({})
})
