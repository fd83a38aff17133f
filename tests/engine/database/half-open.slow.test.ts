import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { VideoView } from '../../../app/domain/videos/types'
import { PATIENCE_MS, trials } from '../../support/engine/trials'
import { startSimulator, type Simulator } from '../../simulator/simulator'
import { startHalfOpenProxy, type HalfOpenProxy } from '../../support/half-open'
import { startInstallation, type Installation } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import { until } from '../../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

let product: Installation
let proxy: HalfOpenProxy
let sim: Simulator
beforeAll(async () => {
  sim = await startSimulator({ scenario: { defaults: { generationMs: 100 } } })
  product = await startInstallation({ env: sim.env('openai') })
  proxy = await startHalfOpenProxy(product.env.DATABASE_URL ?? '')
})
afterAll(async () => {
  await product.remove()
  await proxy.stop()
  await sim.stop()
})

/**
 * Runners for rounds, orders, polls, clips, alarms, notifications and maintenance. Each has one listening
 * connection.
 */
const RUNNERS = 7

test('F6: notifications of new jobs stop reaching the worker: it finds the jobs by polling and listens again later', async () => {
  const worker = await product.startWorker({ DATABASE_URL: proxy.url })
  const user = await product.user({ video_limit: 1000, speed_limit: 50 })
  for (let trial = 0; trial < trials(10, 50); trial++) {
    await until('the runners to listen', () => proxy.listeners() === RUNNERS)
    expect(proxy.swallowListeners()).toBe(RUNNERS)
    const { body } = await user.post<VideoView>('/api/videos/generate', { prompt: 'A lantern' })
    const { rows } = await until('the order of the video', async () => {
      const found = await product.db.query<{ waited: number }>(
        `select extract(epoch from attempts.created_at - videos.created_at)::float as waited
         from attempts join videos on videos.id = video_id where videos.id = $1`,
        [body.id],
      )
      return found.rows.length > 0 && found
    })
    // Only polling can have found the job: no runner is listening yet.
    expect(proxy.listeners()).toBe(0)
    expect(rows[0]?.waited).toBeGreaterThan(0)
    proxy.dropSwallowed()
  }
  await until('all videos', async () => {
    const { rows } = await product.db.query<{ n: number }>(
      `select count(*)::int as n from videos where status <> 'completed'`,
    )
    return rows[0]?.n === 0
  })
  expect(worker.child.exitCode).toBeNull()
  await worker.stop()
  expect(await findViolations(product.db)).toEqual({})
})
