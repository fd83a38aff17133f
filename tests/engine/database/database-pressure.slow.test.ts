import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { VideoView } from '../../../app/domain/videos/types'
import { startSimulator, type Simulator } from '../../simulator/simulator'
import { freezeCluster } from '../../support/cluster'
import { openRng, PATIENCE_MS, SEED, trials } from '../../support/engine/trials'
import { startInstallation, type Installation } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import { useOwnCluster } from '../../support/own-cluster'
import { supervised } from '../../support/processes'
import { until } from '../../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

const TAKER = 'taker'

const cluster = useOwnCluster({ max_connections: '60' })
let product: Installation
let sim: Simulator
beforeAll(async () => {
  sim = await startSimulator({ scenario: { defaults: { generationMs: 100 } } })
  product = await startInstallation({ env: sim.env('openai') })
})
afterAll(async () => {
  await product.remove()
  await sim.stop()
})

/**
 * Takes every free connection of the server, in addition to `taken`. None is left for the product.
 */
async function takeConnections(taken: pg.Client[]): Promise<void> {
  for (;;) {
    const client = new pg.Client({
      connectionString: product.env.DATABASE_URL,
      application_name: TAKER,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      taken.push(client)
    } catch {
      const { rows } = await taken[0]!.query<{ others: number }>(
        `select count(pg_terminate_backend(pid))::int as others from pg_stat_activity
         where backend_type = 'client backend' and application_name <> $1`,
        [TAKER],
      )
      if (rows[0]?.others === 0) return
    }
  }
}

test('F7: no free connection: pages and calls report it at once, and work resumes when connections are free again', async () => {
  const user = await product.user({ video_limit: 1000 })
  for (let trial = 0; trial < trials(10, 50); trial++) {
    const taken: pg.Client[] = []
    const asked = ['/app', '/api/videos', '/api/videos/changes?since=0', '/dashboard']
    const ask = (path: string) => user.send('GET', path, { headers: { accept: 'text/html' } })
    // A backend that was terminated frees its connection a moment later.
    const responses = await until('all connections to be in use', async () => {
      await takeConnections(taken)
      const all = await Promise.all(asked.map(ask))
      return all.every(({ status }) => status === 503) && all
    })
    for (const response of responses) {
      expect(response.headers.get('retry-after')).not.toBeNull()
      expect(await response.text()).not.toMatch(/too many clients|53300|at .*\.js/)
    }
    const key = { 'idempotency-key': `trial-${trial}` }
    const order = { prompt: 'A lantern' }
    const refused = await user.call('POST', '/api/videos/generate', order, key)
    expect(refused.status).toBe(503)
    expect((await product.client().send('GET', '/healthz')).status).toBe(200)
    await Promise.all(taken.map((client) => client.end()))
    await until('the order to be accepted', async () => {
      const { status } = await user.call('POST', '/api/videos/generate', order, key)
      return status === 201
    })
  }
  const { rows } = await product.db.query<{ n: number }>('select count(*)::int as n from videos')
  expect(rows[0]?.n).toBe(trials(10, 50))
  expect(await findViolations(product.db)).toEqual({})
})

test('F7: every statement waits for a lock: requests that find no free connection are rejected meanwhile, and web and jobs continue afterwards', async () => {
  const user = await product.user({ video_limit: 1000, speed_limit: 50 })
  const worker = supervised(() => product.startWorker())
  await worker.started
  for (let trial = 0; trial < trials(2, 10); trial++) {
    const before = await user.post<VideoView>('/api/videos/generate', { prompt: 'before' })
    expect(before.status).toBe(201)
    const blocker = new pg.Client({ connectionString: product.env.DATABASE_URL })
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('lock table galleries in access exclusive mode')
    // The lock is released only after every request has been answered: no request waits for it.
    const statuses = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        user.call('POST', '/api/videos/generate', { prompt: `#${i}` }).then(({ status }) => status),
      ),
    )
    expect(new Set(statuses)).toEqual(new Set([503]))
    await blocker.query('rollback')
    await blocker.end()
    await until('an order to be accepted', async () => {
      const { status } = await user.call('POST', '/api/videos/generate', { prompt: 'after' })
      return status === 201
    })
  }
  await until('all accepted orders', async () => {
    const { rows } = await product.db.query<{ n: number }>(
      `select count(*)::int as n from videos where status <> 'completed'`,
    )
    return rows[0]?.n === 0
  })
  await worker.stop()
  expect(await findViolations(product.db)).toEqual({})
})

test(`F7: a frozen database: requests get their response in time, orders are accepted once, and work resumes (seed ${SEED})`, async () => {
  const rng = openRng(7)
  const user = await product.user({ video_limit: 1000, speed_limit: 50 })
  const worker = supervised(() => product.startWorker())
  await worker.started
  for (let trial = 0; trial < trials(2, 20); trial++) {
    const order = (i: number) =>
      user.call(
        'POST',
        '/api/videos/generate',
        { prompt: 'A lantern' },
        { 'idempotency-key': `still-${trial}-${i}` },
      )
    const orders = Array.from({ length: 20 }, (_, i) => i)
    const asked = orders.map(order)
    await sleep(rng.below(60))
    const goOn = await freezeCluster(cluster.url)
    try {
      // The database stays frozen until every request has been answered: no request waits for it.
      const pages = ['/app', '/api/videos', '/dashboard', '/readyz'].map((path) =>
        user.send('GET', path, { headers: { accept: 'text/html' } }),
      )
      expect((await product.client().send('GET', '/login')).status).toBe(200)
      for (const page of await Promise.all(pages)) expect(page.status).toBe(503)
      for (const { status } of await Promise.all(asked)) expect([201, 503]).toContain(status)
    } finally {
      goOn()
    }
    await until('every order to be accepted', async () => {
      const again = await Promise.all(orders.map(order))
      return again.every(({ status }) => status === 201)
    })
  }
  await until('all videos', async () => {
    const { rows } = await product.db.query<{ n: number }>(
      `select count(*)::int as n from videos where user_id = $1 and status <> 'completed'`,
      [user.userId],
    )
    return rows[0]?.n === 0
  })
  await worker.stop()
  const { rows } = await product.db.query<{ n: number }>(
    'select count(*)::int as n from videos where user_id = $1',
    [user.userId],
  )
  expect(rows[0]?.n).toBe(20 * trials(2, 20))
  expect(await findViolations(product.db)).toEqual({})
})
