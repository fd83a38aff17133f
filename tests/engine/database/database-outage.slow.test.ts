import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator/simulator'
import { asOwner } from '../../support/cluster'
import { IS_LONG, openRng, PATIENCE_MS, SEED, trials, type Rng } from '../../support/engine/trials'
import { startInstallation, type Installation } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import { useOwnCluster } from '../../support/own-cluster'
import { supervised } from '../../support/processes'
import { until } from '../../support/wait'
import {
  untilNothingIsUnderWay,
  untilAttemptReaches,
  order,
  ATTEMPT_STATES,
} from '../../support/attempt-progress'

vi.setConfig({ testTimeout: PATIENCE_MS })

// Commits have to survive the stop, as on a real server.
const cluster = useOwnCluster({ synchronous_commit: 'on' })
const GENERATION: { generationMs: [number, number] } = { generationMs: [50, 1_500] }
let product: Installation
let sim: Simulator

beforeAll(async () => {
  // With this protocol an order whose response was lost can be looked up.
  sim = await startSimulator({ scenario: { defaults: GENERATION } })
  product = await startInstallation({ env: sim.env('vertex-veo') })
})
afterAll(async () => {
  await product.remove()
  await sim.stop()
})

/**
 * A request that takes this long is waiting for the database to come back. It is far longer than
 * the product's own limits (two seconds for a connection, five for a response).
 */
const HANGS_MS = 30_000
/** How long the database is away. */
const awayFor = (rng: Rng) => 500 + rng.below(IS_LONG ? 19_500 : 1_500)

type User = Awaited<ReturnType<Installation['user']>>

/** Checks that pages and calls report the outage at once instead of waiting for its end. */
async function expectApologies(user: User, { id, key }: { id: string; key: string }) {
  const signal = AbortSignal.timeout(HANGS_MS)
  for (const path of ['/app', '/api/videos', `/api/videos/${id}/status`, '/readyz']) {
    const response = await user.send('GET', path, { headers: { accept: 'text/html' }, signal })
    expect([path, response.status]).toEqual([path, 503])
    const text = await response.text()
    expect(text).not.toMatch(/ECONNREFUSED|select |at .*\.js/)
    if (path !== '/readyz') expect(response.headers.get('retry-after')).not.toBeNull()
  }
  const refused = await user.send('POST', '/api/videos/generate', {
    body: JSON.stringify({ prompt: 'A lantern' }),
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    signal,
  })
  expect(refused.status).toBe(503)
  expect((await product.client().send('GET', '/healthz', { signal })).status).toBe(200)
  expect((await product.client().send('GET', '/login', { signal })).status).toBe(200)
}

/**
 * Moves past the time at which a look-up is final. The outage came between an intent and its order,
 * so the provider has no order, which is certain only once an order would have ended.
 */
async function lostOrdersSettle(): Promise<void> {
  await until('orders with an unknown state to be settled', async () => {
    const { rowCount } = await product.db.query(
      `update attempts set lost_at = lost_at - interval '1 hour', deadline_at = engine_now(),
         due_at = engine_now() - interval '1 minute'
       where state = 'unknown' and lease_holder is null and lost_at > engine_now() - interval '1 hour'
       returning id`,
    )
    const left = await product.db.query(`select 1 from attempts where state = 'unknown'`)
    return rowCount === 0 && left.rowCount === 0
  })
}

test(`F5: repeated database outages while videos are made: pages report them without waiting, and all work recovers by itself (seed ${SEED})`, async () => {
  const rng = openRng(5)
  const user = await product.user({ video_limit: 100_000, speed_limit: 50 })
  const worker = supervised(() => product.startWorker())
  await worker.started
  const taken: string[] = []
  const times = trials(10, 200)
  for (let trial = 0; trial < times; trial++) {
    const orders = 1 + rng.below(4)
    for (let i = 0; i < orders; i++) taken.push(await order(user, `${trial}-${i}`))
    const id = rng.pick(taken.slice(-orders))
    await untilAttemptReaches(product, id, rng.pick(ATTEMPT_STATES))
    await cluster.stop('immediate')
    const away = sleep(awayFor(rng))
    await expectApologies(user, { id, key: `${trial}-refused` })
    await away
    await cluster.restart()
    await until('the page to load', async () => (await user.send('GET', '/app')).status === 200)
    taken.push(await order(user, `${trial}-refused`))
    // Sometimes the next outage comes when a worker has only just resumed.
    if (rng.below(2) === 0) await untilNothingIsUnderWay(product)
  }
  await untilNothingIsUnderWay(product)
  await lostOrdersSettle()
  await untilNothingIsUnderWay(product)
  await worker.stop()
  expect(await findViolations(product.db)).toEqual({})
  const { rows } = await product.db.query<{ id: string; status: string; charge: string }>(
    `select id, status::text, quota_charges.state::text as charge from videos
     left join quota_charges on video_id = id order by id`,
  )
  expect(rows).toEqual(
    [...taken].sort().map((id) => ({ id, status: 'completed', charge: 'charged' })),
  )
  expect(sim.stats()).toMatchObject({ ordersAccepted: taken.length, wastedOrders: 0 })
})

/** Waits until the database has executed the statement and withholds its response. */
const isKeptBack = (owner: pg.Client, statement: string) =>
  until(`${statement} to be held back`, async () => {
    const { rowCount } = await owner.query(
      `select 1 from pg_stat_activity where wait_event = 'SyncRep' and query like $1`,
      [`%${statement}%`],
    )
    return rowCount! > 0
  })

test('F5: a worker that is stopped while the database is away ends in good order', async () => {
  const worker = await product.startWorker()
  await cluster.stop('immediate')
  worker.child.kill('SIGTERM')
  expect(await worker.ended).toBe(0)
  expect(worker.output()).not.toContain('uncaught')
  await cluster.restart()
})

test('F5: the database stops after it has assigned a job and before it responds: the same worker does the job', async () => {
  // Long enough for the provider to be polled again after the database holds its commits back.
  sim.play({ defaults: { generationMs: 10_000 } })
  onTestFinished(() => sim.play({ defaults: GENERATION }))
  const user = await product.user({ video_limit: 10 })
  const worker = await product.startWorker()
  const id = await order(user, 'kept-back')
  await untilAttemptReaches(product, id, 'submitted')
  // A commit is written and then waits for a standby that does not exist. So the poll job that is
  // about to become due is assigned, but no worker receives it.
  await asOwner(cluster.url, async (owner) => {
    await owner.query(`alter system set synchronous_standby_names = 'nobody'`)
    await owner.query('select pg_reload_conf()')
    await isKeptBack(owner, '_private_jobs')
    await owner.query('alter system reset synchronous_standby_names')
  })
  await cluster.stop('immediate')
  await cluster.restart()
  await untilNothingIsUnderWay(product)
  expect(worker.child.exitCode).toBeNull()
  await worker.stop()
  expect(await findViolations(product.db)).toEqual({})
})

test('F5: the database is unavailable when the provider’s response to an order arrives: the worker keeps running and stores the response, although the order cannot be looked up', async () => {
  const slow = await startSimulator({
    scenario: { defaults: { generationMs: 200, submitLatencyMs: 1_500 } },
  })
  const other = await startInstallation({ env: slow.env('runway') })
  const user = await other.user({ video_limit: 10 })
  const worker = await other.startWorker()
  const id = await order(user, 'answered')
  await untilAttemptReaches(other, id, 'submitting')
  await cluster.stop('immediate')
  await until('the order to be accepted', () => slow.stats().ordersAccepted === 1)
  await sleep(awayFor(openRng(55)))
  await cluster.restart()
  await untilNothingIsUnderWay(other)
  expect(worker.child.exitCode).toBeNull()
  expect(slow.stats()).toMatchObject({ ordersAccepted: 1, wastedOrders: 0 })
  const { rows } = await other.db.query('select state::text, n from attempts')
  expect(rows).toEqual([{ state: 'done', n: 1 }])
  expect(await findViolations(other.db)).toEqual({})
  await other.remove()
  await slow.stop()
})
