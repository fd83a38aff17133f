import { afterEach, expect, test, vi } from 'vitest'
import { startSimulator } from '../../simulator/simulator'
import { Client } from '../../support/client'
import { openRng, PATIENCE_MS, SEED, trials } from '../../support/engine/trials'
import { startInstallation, type Installation } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import { startWeb, type TestProcess } from '../../support/processes'
import {
  untilNothingIsUnderWay,
  untilAttemptReaches,
  order,
  ATTEMPT_STATES,
} from '../../support/attempt-progress'

vi.setConfig({ testTimeout: PATIENCE_MS })

// What a deployment does to running processes: SIGTERM, while new ones start on the same database.
// The new process of one deployment is the old one of the next.
let product: Installation
afterEach(async () => {
  expect(await findViolations(product.db)).toEqual({})
  await product.remove()
})

const ORDERS = 40
type User = Awaited<ReturnType<Installation['user']>>
type Deployment = { user: User; old: TestProcess & { url: string }; name: string }

/**
 * Sends forty orders and SIGTERM to the old server after `endAfter` of them. Returns the new
 * server.
 */
async function replaceWeb({ user, old, name }: Deployment, endAfter: number) {
  const next = await startWeb(product.env)
  const send = (base: string, i: number) => {
    const client = new Client(base)
    client.keep(user.cookieHeader)
    const headers = { 'idempotency-key': `${name}-${i}` }
    return client.post<{ id: string }>('/api/videos/generate', { prompt: `boat ${i}` }, headers)
  }
  const orders = Array.from({ length: ORDERS }, async (_, i) => {
    const response = await send(old.url, i).catch(() => undefined)
    if (i === endAfter) old.child.kill('SIGTERM')
    return response
  })
  const first = await Promise.all(orders)
  expect(await old.ended).toBe(0)
  expect(old.output()).not.toContain('stopped before every request was answered')
  // An order was either accepted or got no response at all: none got an error.
  const answered = first.filter((response) => response !== undefined)
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([201]))
  const again = await Promise.all(first.map((_, i) => send(next.url, i)))
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([201]))
  for (const [i, response] of first.entries())
    if (response) expect(again[i]?.body.id).toBe(response.body.id)
  return next
}

test(`F27: the web process is stopped again and again while orders come: a client that retries with the same key has ordered once (seed ${SEED})`, async () => {
  product = await startInstallation()
  const rng = openRng(27)
  const user = await product.user({ video_limit: 1_000_000, speed_limit: 1 })
  const times = trials(10, 200)
  let old = await startWeb(product.env)
  for (let trial = 0; trial < times; trial++) {
    old = await replaceWeb({ user, old, name: `boat-${trial}` }, rng.below(ORDERS - 4))
    const { rows } = await product.db.query<{ n: number }>('select count(*)::int as n from videos')
    expect(rows[0]?.n).toBe((trial + 1) * ORDERS)
  }
  await old.stop()
})

test(`F27: the worker is stopped at any moment of its work, again and again: each exits cleanly, and the next one continues (seed ${SEED})`, async () => {
  const sim = await startSimulator({ scenario: { defaults: { generationMs: [50, 1_000] } } })
  product = await startInstallation({ env: sim.env('openai') })
  const rng = openRng(270)
  const user = await product.user({ video_limit: 100_000, speed_limit: 50 })
  let taken = 0
  const times = trials(10, 200)
  for (let trial = 0; trial < times; trial++) {
    const worker = await product.startWorker()
    const ids = []
    for (let left = 1 + rng.below(4); left > 0; left--) ids.push(await order(user, `${taken++}`))
    await untilAttemptReaches(product, rng.pick(ids), rng.pick(ATTEMPT_STATES))
    worker.child.kill('SIGTERM')
    expect(await worker.ended).toBe(0)
    const left = await product.db.query<{ processes: number; locked: number; lost: number }>(
      `select (select count(*) from worker_processes)::int as processes,
         (select count(*) from graphile_worker._private_jobs where locked_at is not null)::int as locked,
         (select count(*) from attempts where state in ('submitting', 'unknown'))::int as lost`,
    )
    expect(left.rows).toEqual([{ processes: 0, locked: 0, lost: 0 }])
  }
  const last = await product.startWorker()
  await untilNothingIsUnderWay(product)
  await last.stop()
  const { rows } = await product.db.query<{ state: string; n: number }>(
    'select state, count(*)::int as n from attempts group by state',
  )
  expect(rows).toEqual([{ state: 'done', n: taken }])
  expect(sim.accepted()).toHaveLength(taken)
  await sim.stop()
})
