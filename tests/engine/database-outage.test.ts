import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { VideoView } from '../../app/domain/videos/types'
import setup from '../setup/global'
import { startThrowAwayCluster } from '../support/cluster'
import { PATIENCE_MS, trials } from '../support/engine/chance'
import { startInstallation, type Installation } from '../support/installation'
import { findViolations } from '../support/invariants'
import { supervised } from '../support/processes'
import { until } from '../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

// A cluster of its own: it is stopped and started again.
let cluster: Awaited<ReturnType<typeof startThrowAwayCluster>>
let product: Installation
const shared = process.env.TEST_CLUSTER_URL ?? ''

beforeAll(async () => {
  // What was committed has to survive the stop, as it does on a real server.
  cluster = await startThrowAwayCluster({ synchronous_commit: 'on' })
  process.env.TEST_CLUSTER_URL = cluster.url
  await setup()
  product = await startInstallation()
})
afterAll(async () => {
  await product.remove()
  await cluster.remove()
  process.env.TEST_CLUSTER_URL = shared
})

/** How long the database is away: the first time, and each time after it. */
const OUTAGES_MS = [10_000, 1_000] as const
/** A page must not keep anybody waiting longer than this while it is away. */
const PATIENT_MS = 2_000

type User = Awaited<ReturnType<Installation['user']>>

async function startVideo(user: User): Promise<string> {
  const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'A lantern' })
  await until('the order to be with the provider', async () => {
    const { rows } = await product.db.query('select 1 from attempts where state = $1', [
      'submitted',
    ])
    return rows.length > 0
  })
  return body.id
}

/** While the database is away pages say so; the caller starts it again. */
async function expectApologies(user: User, id: string): Promise<void> {
  for (const path of ['/app', '/api/videos', `/api/videos/${id}/status`, '/readyz']) {
    const response = await user.send('GET', path, {
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(PATIENT_MS),
    })
    expect([path, response.status]).toEqual([path, 503])
    const text = await response.text()
    expect(text).not.toMatch(/ECONNREFUSED|select |at .*\.js/)
    if (path !== '/readyz') expect(response.headers.get('retry-after')).not.toBeNull()
  }
  expect((await product.client().send('GET', '/healthz')).status).toBe(200)
  expect((await product.client().send('GET', '/login')).status).toBe(200)
}

test('F5: the database is away in the middle of a video: pages say so quickly, and all recovers by itself', async () => {
  const user = await product.user({ video_limit: 100 })
  const worker = supervised(() => product.startWorker())
  await worker.started
  const times = trials(3, 20)
  for (let trial = 0; trial < times; trial++) {
    const id = await startVideo(user)
    await cluster.stop('immediate')
    const away = sleep(OUTAGES_MS[trial === 0 ? 0 : 1])
    await expectApologies(user, id)
    await away
    await cluster.restart()
    await until('the page', async () => (await user.send('GET', '/app')).status === 200, 10_000)
    await until('the video', async () => {
      const status = await user.get<VideoView>(`/api/videos/${id}/status`)
      return status.body.status === 'completed'
    })
  }
  await worker.stop()
  expect(await findViolations(product.db)).toEqual({})
  const { rows } = await product.db.query<{ state: string }>('select state from quota_charges')
  expect(rows).toEqual(Array.from({ length: times }, () => ({ state: 'charged' })))
})
