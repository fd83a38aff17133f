import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { VideoView } from '../../app/domain/videos/types'
import setup from '../setup/global'
import { startThrowAwayCluster } from '../support/cluster'
import { startInstallation, type Installation } from '../support/installation'
import { findViolations } from '../support/invariants'
import { supervised } from '../support/processes'
import { until } from '../support/wait'

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

/** How long the database is away. */
const OUTAGE_MS = 10_000
/** A page must not keep anybody waiting longer than this while it is away. */
const PATIENCE_MS = 2_000

test('the database is away for ten seconds in the middle of a video: pages say so quickly, and all recovers by itself', async () => {
  const user = await product.user()
  const worker = supervised(() => product.startWorker())
  await worker.started
  const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'A lantern' })
  await until('the order to be with the provider', async () => {
    const { rows } = await product.db.query('select 1 from attempts where state = $1', [
      'submitted',
    ])
    return rows.length > 0
  })

  await cluster.stop('immediate')
  const back = sleep(OUTAGE_MS).then(() => cluster.restart())
  const asked = ['/app', '/api/videos', `/api/videos/${body.id}/status`, '/readyz']
  for (const path of asked) {
    const response = await user.send('GET', path, {
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    expect([path, response.status]).toEqual([path, 503])
    const text = await response.text()
    expect(text).not.toMatch(/ECONNREFUSED|select |at .*\.js/)
    if (path !== '/readyz') expect(response.headers.get('retry-after')).not.toBeNull()
  }
  expect((await product.client().send('GET', '/healthz')).status).toBe(200)
  expect((await product.client().send('GET', '/login')).status).toBe(200)
  await back

  await until('the page', async () => (await user.send('GET', '/app')).status === 200, 10_000)
  await until('the video', async () => {
    const status = await user.get<VideoView>(`/api/videos/${body.id}/status`)
    return status.body.status === 'completed'
  })
  await worker.stop()
  expect(await findViolations(product.db)).toEqual({})
  const { rows } = await product.db.query<{ state: string }>('select state from quota_charges')
  expect(rows).toEqual([{ state: 'charged' }])
})
