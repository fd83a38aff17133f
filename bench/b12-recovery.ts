import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { supervise } from '../scripts/lib/supervisor.mjs'
import { startSharedCluster } from '../tests/support/shared-cluster'
import { startSimulator, type Simulator } from '../tests/simulator/simulator'
import type { Client } from '../tests/support/client'
import { startThrowAwayCluster } from '../tests/support/cluster'
import { startInstallation, type Installation } from '../tests/support/installation'
import { startWeb, supervised } from '../tests/support/processes'
import { until } from '../tests/support/wait'
import { median, round } from './measure'
import { read } from './fixture'

const STARTS = 7
const KILLS = 8
/**
 * The supervisor restarts a process that ran this long at once. After an early death it waits
 * longer.
 */
const SETTLED_MS = 10_500
const OUTAGES = 3
const OUTAGE_MS = 3_000

type Spread = { p50: number; max: number }

export type Recovery = {
  /** Milliseconds from the start of the web process to its first landing page and create screen. */
  firstPage: Spread
  firstCreateScreen: Spread
  /** The same for the first response of a bare node:http server. */
  bareServer: Spread
  /** From kill -9 of the supervised worker to the next call at the provider. */
  killToCall: Spread
  /** From the database's return to the first good page and the next call at the provider. */
  databaseToPage: Spread
  databaseToCall: Spread
}

/** B12: measures starts, and recovery after a kill of the worker and a stop of the database. */
export async function recovery(): Promise<Recovery> {
  const starts = await measureStarts()
  return { ...starts, killToCall: await measureKills(), ...(await measureOutages()) }
}

async function measureStarts() {
  const product = await startInstallation()
  try {
    const user = await product.user()
    const home: number[] = []
    const create: number[] = []
    const bare: number[] = []
    for (let i = 0; i < STARTS; i++) {
      bare.push(await startBare())
      const at = performance.now()
      const web = await startWeb(product.env)
      await (await fetch(web.url)).text()
      home.push(performance.now() - at)
      await (await fetch(`${web.url}/app`, { headers: { cookie: user.cookieHeader } })).text()
      create.push(performance.now() - at)
      await web.stop()
    }
    return {
      firstPage: spread(home),
      firstCreateScreen: spread(create),
      bareServer: spread(bare),
    }
  } finally {
    await product.remove()
  }
}

const BARE = `require('http').createServer((q, s) => s.end('ok')).listen(0, '127.0.0.1', function () {
  process.send(this.address().port)
})`

async function startBare(): Promise<number> {
  const at = performance.now()
  const child = spawn(process.execPath, ['-e', BARE], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const port = await new Promise<unknown>((resolve) => child.once('message', resolve))
  await (await fetch(`http://127.0.0.1:${String(port)}`)).text()
  const ms = performance.now() - at
  child.kill()
  return ms
}

async function measureKills(): Promise<Spread> {
  const sim = await startBusySimulator()
  const product = await startInstallation({ env: envOf(sim) })
  const supervisor = supervise({
    env: { NODE_ENV: 'production', PATH: process.env.PATH, ...product.env },
    onFirstFailure: () => undefined,
  })
  try {
    await keepBusy(await product.user({ plan: 'Enterprise', video_limit: 1000, speed_limit: 100 }))
    await supervisor.start({ name: 'worker', program: 'worker.js', heapMb: 256 })
    const taken: number[] = []
    for (let i = 0; i < KILLS; i++) {
      await nextCall(sim)
      await sleep(SETTLED_MS)
      process.kill(await workerPid(product), 'SIGKILL')
      taken.push(await nextCall(sim))
    }
    return spread(taken)
  } finally {
    await supervisor.stop()
    await product.remove()
    await sim.stop()
  }
}

/** Starts a provider that is polled all the time, because no order ever finishes. */
const startBusySimulator = () =>
  startSimulator({ scenario: { defaults: { generationMs: 3_600_000 } } })

const envOf = (sim: Simulator) => ({ ...sim.env('openai'), VIDEO_PROVIDER_TIME_SCALE: '0.02' })

async function keepBusy(user: Client): Promise<void> {
  const prompts = Array.from({ length: 50 }, (_, i) => `A kite, scene ${i}`)
  const response = await user.post('/api/videos/bulk-generate', { prompts })
  if (response.status !== 201) throw new Error(JSON.stringify(response.body))
}

/** Returns the milliseconds until the provider receives the next call from the product. */
async function nextCall(sim: Simulator): Promise<number> {
  const at = performance.now()
  const before = sim.now()
  await until('a call at the provider', () => (sim.journal().at(-1)?.at ?? 0) > before)
  return performance.now() - at
}

async function workerPid({ db }: Installation): Promise<number> {
  const { rows } = await db.query<{ pid: number }>(
    'select pid from worker_processes order by beat_at desc limit 1',
  )
  if (!rows[0]) throw new Error('no worker is alive')
  return rows[0].pid
}

async function measureOutages() {
  const shared = process.env.TEST_CLUSTER_URL
  const cluster = await startThrowAwayCluster({ synchronous_commit: 'on' })
  process.env.TEST_CLUSTER_URL = cluster.url
  await startSharedCluster()
  const sim = await startBusySimulator()
  const product = await startInstallation({ env: envOf(sim) })
  const worker = supervised(() => product.startWorker())
  try {
    const user = await product.user({ plan: 'Enterprise', video_limit: 1000, speed_limit: 100 })
    await keepBusy(user)
    await worker.started
    const page: number[] = []
    const call: number[] = []
    for (let i = 0; i < OUTAGES; i++) {
      await nextCall(sim)
      await cluster.stop('immediate')
      await sleep(OUTAGE_MS)
      await cluster.restart()
      const at = performance.now()
      const called = nextCall(sim)
      await until('a good page', () => read(user, '/app').then(() => true))
      page.push(performance.now() - at)
      call.push(await called)
    }
    return { databaseToPage: spread(page), databaseToCall: spread(call) }
  } finally {
    await worker.stop()
    await product.remove()
    await sim.stop()
    await cluster.remove()
    if (shared) process.env.TEST_CLUSTER_URL = shared
  }
}

const spread = (values: readonly number[]): Spread => ({
  p50: round(median(values)),
  max: round(Math.max(...values)),
})
