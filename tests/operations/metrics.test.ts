import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { backupName } from '../../scripts/lib/nightly-backup.mjs'
import { freePort } from '../../scripts/lib/postgres.mjs'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { startInstallation, type Installation } from '../support/installation'
import { startWeb } from '../support/processes'
import { until } from '../support/wait'
import { slowTest, test } from '../support/slow'

const TOKEN = 'CANARY-metrics-token'

let sim: Simulator
let product: Installation
let workerPort: number
beforeAll(async () => {
  sim = await startSimulator({ scenario: { defaults: { generationMs: 60_000 } } })
  workerPort = await freePort()
  product = await startInstallation({
    worker: true,
    env: { ...sim.env('openai'), METRICS_TOKEN: TOKEN, WORKER_METRICS_PORT: String(workerPort) },
  })
})
afterAll(async () => {
  await product.remove()
  await sim.stop()
})

type Figures = Record<string, number>

/** Returns the metrics by name and labels, as Prometheus parses them. */
async function figuresOf(base: string, token: string | null = TOKEN): Promise<Figures> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${base}/metrics`, { headers })
  expect(response.status).toBe(200)
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('reelmill'))
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

test('the metrics report work under way, refusals and the results of requests', async () => {
  const user = await product.user({ video_limit: 1 })
  const made = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'A mill' })
  expect(made.status).toBe(201)
  expect((await user.post('/api/videos/generate', { prompt: 'A second' })).status).toBe(429)

  const figures = await until('the order to be reported', async () => {
    const now = await figuresOf(product.url)
    return now['reelmill_attempts{state="submitted"}'] === 1 && now
  })
  expect(figures).toMatchObject({
    reelmill_database_up: 1,
    reelmill_workers: 1,
    reelmill_storage_up: 1,
    'reelmill_attempts{state="unknown"}': 0,
    reelmill_attempts_overdue: 0,
    'reelmill_finding{area="Workers"}': 0,
    'reelmill_refusals_total{code="QUOTA_EXCEEDED"}': 1,
    'reelmill_http_requests_total{route="/api/videos/generate",method="POST",status="201"}': 1,
    'reelmill_http_requests_total{route="/api/videos/generate",method="POST",status="429"}': 1,
  })
  expect(figures['reelmill_database_connections{pool="statements",state="open"}']).toBeGreaterThan(
    0,
  )
  expect(figures.reelmill_storage_free_bytes).toBeGreaterThan(0)
  // The label is the route: the path contains ids and would have unlimited values.
  expect(Object.keys(figures).join()).not.toContain(made.body.id)
})

/** Returns what the web server and the worker report, as text. */
async function allMetrics(): Promise<string> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const texts = await Promise.all(
    [product.url, `http://127.0.0.1:${workerPort}`].map(async (base) =>
      (await fetch(`${base}/metrics`, { headers })).text(),
    ),
  )
  return texts.join('')
}

test('only counters have names that end in _total', async () => {
  const types = [...(await allMetrics()).matchAll(/^# TYPE (\w+_total) (\w+)$/gm)]
  expect(types.length).toBeGreaterThan(3)
  expect(types.filter(([, , type]) => type !== 'counter')).toEqual([])
})

test('every metric that the alerts and the dashboard read is reported', async () => {
  const reported = new Set((await allMetrics()).match(/(?<=^# TYPE )\w+/gm))
  for (const file of ['alerts.yml', 'grafana.json']) {
    const text = await fs.readFile(`docs/operations/${file}`, 'utf8')
    const read = text
      .match(/\b(reelmill|nodejs|process)_\w+/g)
      ?.map((name) => name.replace(/_(bucket|count)$/, ''))
    expect(read?.length).toBeGreaterThan(5)
    expect(read?.filter((name) => !reported.has(name))).toEqual([])
  }
})

slowTest('a closed gate and a violated invariant are reported', async () => {
  await product.db.query(
    // The row may be there already: a line that has just started has room for a few orders.
    `insert into provider_gates (scope, reason, closed_until, probe_ms, strikes, room)
     values ('service openai-videos', 'provider-down', now() + interval '1 hour', 1000, 1, 1)
     on conflict (scope) do update set reason = excluded.reason, closed_until = excluded.closed_until,
       strikes = excluded.strikes, room = excluded.room`,
  )
  const figures = await until('both figures', async () => {
    // The worker's check, every minute, removes results of rules that it does not know.
    await product.db.query(
      `insert into invariant_checks (name, violations, checked_at) values ('a test rule', 3, now())
       on conflict (name) do update set violations = 3`,
    )
    const now = await figuresOf(product.url)
    const isClosed = now['reelmill_gates_closed{gate="service",reason="provider-down"}'] === 1
    return isClosed && now['reelmill_finding{area="Self-check"}'] === 2 && now
  })
  expect(figures.reelmill_invariant_violations).toBeGreaterThanOrEqual(3)
  await product.db.query(`delete from provider_gates; delete from invariant_checks`)
})

test('the newest backup is reported where BACKUP_DIR is set', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-backups-'))
  const file = path.join(folder, backupName(new Date()))
  await fs.writeFile(file, 'x'.repeat(1000))
  const at = new Date(Date.now() - 30 * 3_600_000)
  await fs.utimes(file, at, at)
  const web = await startWeb({ ...product.env, BACKUP_DIR: folder })
  try {
    const figures = await figuresOf(web.url)
    expect(figures).toMatchObject({
      'reelmill_finding{area="Backup"}': 1,
      reelmill_backup_bytes: 1000,
    })
    expect(figures.reelmill_backup_age_seconds).toBeGreaterThan(26 * 3600)
    expect(await figuresOf(product.url)).not.toHaveProperty('reelmill_backup_bytes')
  } finally {
    await web.stop()
    await fs.rm(folder, { recursive: true })
  }
})

test('a worker serves its job metrics on its own port', async () => {
  const base = `http://127.0.0.1:${workerPort}`
  const figures = await figuresOf(base)
  expect(
    figures['reelmill_job_duration_seconds_count{task="videos.submit",outcome="done"}'],
  ).toBeGreaterThan(0)
  expect(figures['reelmill_database_connections{pool="queue",state="open"}']).toBeGreaterThan(0)
  expect((await fetch(`${base}/metrics`)).status).toBe(404)
  expect(await (await fetch(`${base}/healthz`)).json()).toEqual({ status: 'ok' })
})

slowTest(
  'metrics require the token; without METRICS_TOKEN this machine can read them, but no client behind a proxy',
  async () => {
    const statusOf = async (url: string, headers: Record<string, string> = {}) =>
      (await fetch(`${url}/metrics`, { headers })).status
    expect(await statusOf(product.url)).toBe(404)
    expect(await statusOf(product.url, { authorization: 'Bearer wrong' })).toBe(404)

    const { METRICS_TOKEN: _, ...env } = product.env
    const local = await startWeb(env)
    expect(await statusOf(local.url)).toBe(200)
    expect(await statusOf(local.url, { 'x-forwarded-for': '8.8.8.8' })).toBe(404)
    await local.stop()
    // Requests through a proxy that adds no header appear to come from this machine.
    for (const behind of [{ APP_URL: 'https://reels.example.com' }, { TRUST_PROXY: '1' }]) {
      const web = await startWeb({ ...env, ...behind })
      expect(await statusOf(web.url)).toBe(404)
      await web.stop()
    }
  },
)

test('the request id of a trusted proxy is kept, that of other clients is not', async () => {
  const idOf = async (url: string, given: string) => {
    const response = await fetch(`${url}/healthz`, { headers: { 'x-request-id': given } })
    return response.headers.get('x-request-id')
  }
  const given = 'f3b1c9d2e4a5968778695a4b3c2d1e0f'
  expect(await idOf(product.url, given)).toMatch(/^[\da-f-]{36}$/)
  const web = await startWeb({ ...product.env, TRUST_PROXY: '1' })
  expect(await idOf(web.url, given)).toBe(given)
  expect(await idOf(web.url, 'not "one"')).toMatch(/^[\da-f-]{36}$/)
  await web.stop()
})
