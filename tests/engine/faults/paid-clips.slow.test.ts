import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import type { VideoView } from '../../../app/domain/videos/types'
import { startSimulator, type Simulator } from '../../simulator/simulator'
import { startBucket, type TestBucket } from '../../support/bucket'
import { PATIENCE_MS } from '../../support/engine/trials'
import { startInstallation, type Installation } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import { openPage } from '../../support/page'
import { startProxy } from '../../support/proxy'
import { until } from '../../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

// A finished clip has been paid for: the product waits until it can be stored, and sends no new
// orders meanwhile. Uses real processes, and checks the simulator's ledger, not the product's
// tables.

type User = Awaited<ReturnType<Installation['user']>>

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Clips are finished late enough for the fault to begin before the first of them. */
const DEFAULTS = { generationMs: 3_000 }

async function simulatorHere(): Promise<Simulator> {
  const sim = await startSimulator({ scenario: { defaults: DEFAULTS } })
  ends.push(sim.stop)
  return sim
}

async function startProduct(sim: Simulator, env: Record<string, string>) {
  const product = await startInstallation({
    worker: true,
    env: { ...sim.env('vertex-veo'), VIDEO_PROVIDER_TIME_SCALE: '0.2', ...env },
  })
  ends.push(product.remove)
  const user = await product.user({ video_limit: 100, speed_limit: 50, plan: 'Enterprise' })
  return { product, user }
}

const orderSome = (user: User, n: number) =>
  Promise.all(
    Array.from({ length: n }, async (_, i) => {
      const { status } = await user.post<VideoView>('/api/videos/generate', {
        prompt: `A paid boat ${i}`,
      })
      expect(status).toBe(201)
    }),
  )

const areOrdered = (sim: Simulator, n: number) =>
  until(`${n} orders`, () => sim.stats().ordersAccepted === n)

const allAreDelivered = ({ db }: Installation, n: number) =>
  until(
    'all to be delivered',
    async () => {
      const { rows } = await db.query<{ status: string; n: number }>(
        'select status::text, count(*)::int as n from videos group by 1 order by 1',
      )
      if (rows.some(({ status }) => status === 'error'))
        throw new Error(`a paid clip was given up: ${JSON.stringify(rows)}`)
      return rows.length === 1 && rows[0]?.status === 'completed' && rows[0].n === n
    },
    300_000,
  )

/** Waits until the product has closed a gate. One of a line that has just started is open. */
const somethingIsClosed = ({ db }: Installation) =>
  until('a closed gate', async () => {
    const { rows } = await db.query('select 1 from provider_gates where closed_until > now()')
    return rows.length > 0
  })

const boughtBetween = (sim: Simulator, from: number, to: number) =>
  sim.accepted().filter(({ at }) => at > from && at < to).length

/** Returns the downloads for which the simulator sent a clip, whole or in part. */
const downloads = (sim: Simulator) =>
  sim.journal().filter(({ op, status }) => op === 'content' && [200, 206].includes(status))

async function puts(bucket: TestBucket, more: number): Promise<void> {
  const count = () => bucket.requests.filter((request) => request.startsWith('PUT')).length
  const before = count()
  await until('clips to be uploaded to the bucket', () => count() >= before + more)
}

test('W-FAULT: the bucket is unavailable while clips are finished: each clip is fetched once and kept, no order is sent, and all are stored later', async () => {
  const bucket = await startBucket()
  ends.push(bucket.stop)
  const sim = await simulatorHere()
  const { product, user } = await startProduct(sim, bucket.env)
  const admin = await product.user({ role: 'admin' })
  await orderSome(user, 3)
  await areOrdered(sim, 3)
  await bucket.be('gone')
  await somethingIsClosed(product)
  const noticedAt = sim.now()
  await orderSome(user, 2)
  const { text } = await openPage(admin, '/admin/system')
  expect(text).toContain('Clips cannot be stored or shown')
  expect(text).not.toContain('Everything works')
  await until('the owner to see the reason', async () =>
    (await openPage(user, '/app')).text.includes('Our storage for videos cannot be reached'),
  )
  await bucket.be('hanging')
  await puts(bucket, 2)
  const backAt = sim.now()
  await bucket.be('normal')
  await allAreDelivered(product, 5)
  expect(boughtBetween(sim, noticedAt, backAt)).toBe(0)
  expect(sim.stats()).toMatchObject({ ordersAccepted: 5, wastedOrders: 0 })
  expect(downloads(sim)).toHaveLength(5)
  expect((await openPage(admin, '/admin/system')).text).not.toContain('Clips cannot be stored')
  expect(await findViolations(product.db)).toEqual({})
})

const REFUSES_MS = 20_000
const BUSY_MS = 40_000

test('W-FAULT: the host of finished clips refuses for 20 s and returns 503 for 40 s: all are delivered, none is fetched repeatedly, and no order is sent', async () => {
  const sim = await simulatorHere()
  const host = await startProxy(sim.filesUrl)
  ends.push(host.stop)
  const env = { VERTEX_STORAGE_URL: host.through(sim.filesUrl) }
  const { product, user } = await startProduct(sim, env)
  await orderSome(user, 10)
  await areOrdered(sim, 10)
  await host.refuse()
  const refuses = sleep(REFUSES_MS)
  await somethingIsClosed(product)
  const noticedAt = sim.now()
  await orderSome(user, 3)
  await refuses
  sim.play({
    defaults: DEFAULTS,
    rules: [{ when: { op: 'content' }, do: { status: 503 } }],
  })
  await host.open()
  await sleep(BUSY_MS)
  const backAt = sim.now()
  sim.play({ defaults: DEFAULTS })
  await allAreDelivered(product, 13)
  expect(boughtBetween(sim, noticedAt, backAt)).toBe(0)
  expect(sim.stats()).toMatchObject({ ordersAccepted: 13, wastedOrders: 0 })
  expect(downloads(sim).length).toBeLessThanOrEqual(1.2 * 13)
  expect(await findViolations(product.db)).toEqual({})
})
