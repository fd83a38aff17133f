import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { plainUserUrl } from '../scripts/lib/plain-user.mjs'
import { freePort } from '../scripts/lib/postgres.mjs'
import { startSharedCluster } from '../tests/support/shared-cluster'
import { startSimulator, type Simulator } from '../tests/simulator/simulator'
import { supervise, type Supervised } from '../tests/soak/supervisor'
import { startThrowAwayCluster } from '../tests/support/cluster'
import { createTestDatabase } from '../tests/support/database'
import { openRng } from '../tests/support/engine/trials'
import { findViolations } from '../tests/support/invariants'
import { startWeb, startWorker, testEnv, type ProcessEnv } from '../tests/support/processes'
import { p99, round } from './measure'
import { openPages, startTraffic } from './b8-traffic'
import {
  readDatabase,
  readProcess,
  useOf,
  type DatabaseUse,
  type Reading,
  type Use,
} from './readings'

const [WEBS, WORKERS] = [2, 3]
/** Half an hour at this speed is a day. */
const SPEED = 48
/** In a day; a shorter run has its share of them. */
const KILLS_PER_DAY = 50
const OUTAGES_PER_DAY = 5
const OUTAGE_MS = 3_000
const HEAP = ['--max-old-space-size=192']
const READ_EVERY_MS = 5_000
/** The share of the run before memory counts. */
const WARM_UP = 0.25
const SETTLE_MS = 600_000

export type Day = {
  videos: { accepted: number; ended: Record<string, number>; ordered: number }
  violations: Record<string, number>
  kills: number
  outages: number
  exitsNotAskedFor: number
  polls: { sent: number; failed: number; p99: number }
  /** Of the web server and the worker that are never killed. */
  web: Use
  worker: Use
  /** Memory that the larger of the two slopes adds in a simulated hour, in MB. */
  slopePerSimulatedHour: number
  database: { mostConnections: number; mostDeadJobs: number; megabytes: [number, number] }
}

type Scene = {
  sim: Simulator
  cluster: Awaited<ReturnType<typeof startThrowAwayCluster>>
  db: pg.Pool
  webs: readonly Supervised[]
  workers: readonly Supervised[]
  urls: readonly string[]
  stop: () => Promise<void>
}

/**
 * B8: a day of traffic in half an hour: a thousand open pages, batches all the time, processes killed
 * and the database stopped. The first web server and the first worker are never killed: their memory
 * and files show what leaks.
 */
export async function day(minutes: number): Promise<Day> {
  const scene = await startScene()
  const startedAt = performance.now()
  const ms = minutes * 60_000
  const share = (perDay: number) => Math.ceil((perDay * minutes) / 30)
  const times = { kills: share(KILLS_PER_DAY), outages: share(OUTAGES_PER_DAY) }
  const end = new AbortController()
  try {
    const users = await openPages(scene.urls, scene.db)
    const customers = startTraffic(users, end.signal)
    const readings = startReadings(scene, startedAt, end.signal)
    await makeTrouble(scene, ms, times)
    end.abort()
    const { accepted, polls } = await customers
    const { web, worker, database } = await readings
    await settled(scene.db)
    const warmUpMs = ms * WARM_UP
    const [webUse, workerUse] = [useOf(web, warmUpMs), useOf(worker, warmUpMs)]
    const steepest = Math.max(webUse.megabytes.slopePerHour, workerUse.megabytes.slopePerHour)
    return {
      videos: { accepted, ended: await endedOf(scene.db), ordered: scene.sim.accepted().length },
      violations: Object.fromEntries(
        Object.entries(await findViolations(scene.db)).map(([name, rows]) => [name, rows.length]),
      ),
      ...times,
      exitsNotAskedFor: [...scene.webs, ...scene.workers].flatMap(({ exits }) => exits).length,
      polls: { sent: polls.length, failed: polls.filter(isNaN).length, p99: timeOf(polls) },
      web: webUse,
      worker: workerUse,
      slopePerSimulatedHour: round(steepest / SPEED),
      database: {
        mostConnections: Math.max(...database.map(({ connections }) => connections)),
        mostDeadJobs: Math.max(...database.map(({ deadJobs }) => deadJobs)),
        megabytes: [database[0]?.megabytes ?? 0, database.at(-1)?.megabytes ?? 0],
      },
    }
  } finally {
    end.abort()
    await scene.stop()
  }
}

const timeOf = (polls: readonly number[]) => round(p99(polls.filter((took) => !isNaN(took))))

async function startScene(): Promise<Scene> {
  const shared = process.env.TEST_CLUSTER_URL
  const cluster = await startThrowAwayCluster({ synchronous_commit: 'on' })
  process.env.TEST_CLUSTER_URL = cluster.url
  await startSharedCluster()
  const sim = await startSimulator({ scenario: { defaults: { generationMs: [2_000, 20_000] } } })
  const { url } = await createTestDatabase()
  const db = new pg.Pool({ connectionString: url, max: 4 })
  db.on('error', () => undefined)
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-day-'))
  const logDir = path.resolve('test-results/day')
  await fs.rm(logDir, { recursive: true, force: true })
  await fs.mkdir(logDir, { recursive: true })
  const env: ProcessEnv = {
    ...testEnv(plainUserUrl(url), home),
    ...sim.env('openai'),
    TRUST_PROXY: '1',
  }
  const ports = await Promise.all(Array.from({ length: WEBS }, freePort))
  const webs = await Promise.all(
    ports.map((port, i) =>
      supervise({
        name: `web-${i + 1}`,
        kind: 'web',
        logDir,
        launch: () => startWeb({ ...env, PORT: String(port) }, { nodeArgs: HEAP }),
      }),
    ),
  )
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, (_, i) =>
      supervise({
        name: `worker-${i + 1}`,
        kind: 'worker',
        logDir,
        launch: () => startWorker(env, HEAP),
      }),
    ),
  )
  const stop = async () => {
    await Promise.all([...webs, ...workers].map((each) => each.stop()))
    await db.end()
    await sim.stop()
    await cluster.remove()
    await fs.rm(home, { recursive: true, force: true })
    if (shared) process.env.TEST_CLUSTER_URL = shared
  }
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  return { sim, cluster, db, webs, workers, urls, stop }
}

/** Reads the two processes that are never killed, and the database. */
async function startReadings({ db, webs, workers }: Scene, startedAt: number, signal: AbortSignal) {
  const web: Reading[] = []
  const worker: Reading[] = []
  const database: DatabaseUse[] = []
  while (!signal.aborted) {
    const at = performance.now() - startedAt
    for (const { supervised: supervised, into } of [
      { supervised: webs[0], into: web },
      { supervised: workers[0], into: worker },
    ]) {
      const pid = supervised?.pid()
      if (pid !== undefined) into.push(await readProcess(pid, at))
    }
    // While the database is stopped there is nothing to read.
    await readDatabase(db).then(
      (use) => database.push(use),
      () => undefined,
    )
    await sleep(READ_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
  return { web, worker, database }
}

/** Kills and stops at regular times. Ends with the day. */
async function makeTrouble(
  { cluster, webs, workers }: Scene,
  ms: number,
  { kills, outages }: { kills: number; outages: number },
): Promise<void> {
  const rng = openRng(8, 1)
  const victims = [...webs.slice(1), ...workers.slice(1)]
  const kill = async () => {
    for (let left = kills; left > 0; left--) {
      await sleep(ms / (kills + 1))
      rng.pick(victims).kill()
    }
  }
  const stopDatabase = async () => {
    for (let left = outages; left > 0; left--) {
      await sleep(ms / (outages + 1) - OUTAGE_MS)
      await cluster.stop('immediate')
      await sleep(OUTAGE_MS)
      await cluster.restart()
    }
  }
  await Promise.all([kill(), stopDatabase(), sleep(ms)])
}

const OPEN = "select 1 from videos where status in ('pending', 'generating') limit 1"

async function settled(db: pg.Pool): Promise<void> {
  const until = performance.now() + SETTLE_MS
  while (performance.now() < until && (await db.query(OPEN)).rowCount !== 0) await sleep(1_000)
}

async function endedOf(db: pg.Pool): Promise<Record<string, number>> {
  const { rows } = await db.query<{ status: string; count: number }>(
    'select status::text, count(*)::int from videos group by status',
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}
