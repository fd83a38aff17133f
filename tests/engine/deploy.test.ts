import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Client } from '../support/client'
import { openChance, PATIENCE_MS, SEED, trials } from '../support/engine/chance'
import { startInstallation, type Installation } from '../support/installation'
import { findViolations } from '../support/invariants'
import { startWeb } from '../support/processes'
import { until } from '../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

// What a deployment does to running processes: SIGTERM, and new ones beside the old database.
let product: Installation
beforeAll(async () => {
  product = await startInstallation()
})
afterAll(() => product.remove())

/** One old web server that is told to end after so many of forty orders have been sent. */
async function replaceWeb(endAfter: number): Promise<void> {
  const user = await product.user({ video_limit: 100, speed_limit: 1 })
  const old = await startWeb(product.env)
  const order = (base: string, i: number) => {
    const client = new Client(base)
    for (const { name, value } of user.cookies()) client.keep(`${name}=${value}`)
    const body = { prompt: `boat ${i}` }
    return client.post('/api/videos/generate', body, { 'idempotency-key': `boat-${i}` })
  }
  const orders = Array.from({ length: 40 }, async (_, i) => {
    const answer = await order(old.url, i).catch(() => undefined)
    if (i === endAfter) old.child.kill('SIGTERM')
    return answer?.status
  })
  const first = await Promise.all(orders)
  expect(await old.ended).toBe(0)
  // Taken, or never heard of: nothing in between was answered.
  expect(new Set(first.filter((status) => status !== undefined))).toEqual(new Set([201]))
  const again = await Promise.all(first.map((_, i) => order(product.url, i)))
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([201]))
  const { rows } = await product.db.query<{ n: number }>(
    'select count(*)::int as n from videos where user_id = $1',
    [user.userId],
  )
  expect(rows[0]?.n).toBe(40)
  expect(await findViolations(product.db)).toEqual({})
  await product.db.query('delete from quota_charges')
  await product.db.query('delete from quota_days')
  await product.db.query('delete from users where id = $1', [user.userId])
}

test(`F27: the web is told to end while orders come: whoever sends again with his key has ordered once (seed ${SEED})`, async () => {
  const chance = openChance(27)
  for (let trial = 0; trial < trials(3, 40); trial++) await replaceWeb(chance.below(36))
})

test('F27: a worker that is told to end leaves in good order, and the next one goes on where it was', async () => {
  const user = await product.user({ speed_limit: 2 })
  const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'A lantern' })
  const worker = await product.startWorker()
  await until('the order to be with the provider', async () => {
    const { rows } = await product.db.query(`select 1 from attempts where state = 'submitted'`)
    return rows.length > 0
  })
  worker.child.kill('SIGTERM')
  expect(await worker.ended).toBe(0)
  const left = await product.db.query<{ leases: number; locked: number; lost: number }>(
    `select (select count(*) from worker_leases)::int as leases,
       (select count(*) from graphile_worker._private_jobs where locked_at is not null)::int as locked,
       (select count(*) from attempts where state in ('submitting', 'unknown'))::int as lost`,
  )
  expect(left.rows).toEqual([{ leases: 0, locked: 0, lost: 0 }])
  const next = await product.startWorker()
  await until('the video', async () => {
    const video = await user.get<{ status: string }>(`/api/videos/${body.id}/status`)
    return video.body.status === 'completed'
  })
  await next.stop()
  const { rows } = await product.db.query('select state from attempts where video_id = $1', [
    body.id,
  ])
  expect(rows).toEqual([{ state: 'done' }])
  expect(await findViolations(product.db)).toEqual({})
})
