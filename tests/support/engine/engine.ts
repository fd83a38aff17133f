import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { boot } from '../../../app/boot/deps.server'
import type { AdminCtx, Deps, UserCtx } from '../../../app/domain/context'
import { DEFAULT_PLANS } from '../../../app/domain/plans/catalogue'
import { sweepBatches } from '../../../app/domain/batches/sweep-batches.server'
import { sweepEvents } from '../../../app/domain/events/hear.server'
import { wakeOverdue } from '../../../app/domain/videos/engine/overdue.server'
import { sweep } from '../../../app/domain/videos/engine/sweep.server'
import { newId } from '../../../app/lib/ids'
import { readEnv } from '../../../app/platform/env.server'
import { walkBoxes } from '../../../app/platform/media/boxes.server'
import type { Capabilities } from '../../../app/platform/providers/port'
import { followingClock } from '../../simulator/clock'
import type { ScenarioInput } from '../../simulator/scenario'
import type { Flavour } from '../../simulator/settings'
import { startSimulator, type Simulator } from '../../simulator/simulator'
import { createTestDatabase } from '../database'
import type { UserColumns } from '../installation'
import { testEnv } from '../processes'
import { openRng, type Rng } from './trials'
import { installClock, type EngineClock } from './clock'
import { openFakeProvider, type FakeProvider } from './fake-provider'
import { findEngineViolations } from './engine-violations'
import { killedWorkers, startTestWorker, type TestWorker } from './test-worker'
import { installWitness } from './witness'

/**
 * Runs the product's commands and jobs in this process, on a database whose clock the test moves.
 */
export type Engine = {
  deps: Deps
  fake: FakeProvider
  /** The simulator if `flavour` is set. The fake is unused then. */
  sim: Simulator | undefined
  pool: pg.Pool
  clock: EngineClock
  dataDir: string
  /** Returns the worker that `drain` and `advance` use; after `restart`, the new one. */
  worker: () => TestWorker
  /** Starts another worker in addition. */
  startTestWorker: () => Promise<TestWorker>
  /**
   * Starts a new worker after a kill, as a supervisor does. It takes over the work of the dead one.
   */
  restart: () => Promise<TestWorker>
  /** Creates a user and returns their context. */
  user: (columns?: Partial<UserColumns>) => Promise<UserCtx>
  admin: () => Promise<AdminCtx>
  /** Runs every job that is due. */
  drain: () => Promise<void>
  /** Moves the clock and runs each job at its time on the way. Stops early if the worker dies. */
  advance: (ms: number) => Promise<void>
  /** Moves on until nothing is left to do, for a day at most. */
  settle: () => Promise<void>
  /** Returns how much the sweeps had to repair: 0, unless a worker was killed. */
  sweep: () => Promise<number>
  violations: () => Promise<Record<string, unknown[]>>
  /** Returns errors that jobs threw: bugs, or an unavailable database. */
  jobErrors: () => Promise<string[]>
  close: () => Promise<void>
}

export type EngineOptions = {
  env?: Record<string, string>
  can?: Partial<Capabilities>
  /** Uses the provider's own protocol over the wire in place of the fake. */
  flavour?: Flavour
  scenario?: ScenarioInput
  rng?: Rng
  deps?: (deps: Deps) => Partial<Deps>
}

let phones = 50_000_000

export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  const database = await createTestDatabase()
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-engine-'))
  const booted = bootIn(dataDir, database.url, options.env ?? {})
  const { pool } = booted
  const clock = await installClock(pool)
  await installWitness(pool)
  const { can = {}, rng = openRng(1) } = options
  const scenario = options.scenario === undefined ? {} : { scenario: options.scenario }
  const fake = openFakeProvider({ now: clock.nowHere, can, ...scenario })
  const wire = options.flavour && (await openWire(options.flavour, { clock, ...scenario }))
  const ours = { ...booted.deps, provider: wire?.provider ?? fake, inspectClip: checkBoxes }
  const deps: Deps = { ...ours, ...options.deps?.(ours) }
  const launch = () => startTestWorker({ deps, pool, clock, random: rng.next })
  let current = await launch()

  const engine: Engine = {
    deps,
    fake,
    sim: wire?.sim,
    pool,
    clock,
    dataDir,
    worker: () => current,
    startTestWorker: launch,
    restart: async () => {
      killedWorkers.add(current.process.id)
      current = await launch()
      await current.lookAfterOthers()
      return current
    },
    user: (columns = {}) => makeUser(engine, columns),
    admin: async () => {
      const made = await makeUser(engine, { role: 'admin', plan: 'Enterprise' })
      return { ...made, actor: { ...made.actor, role: 'admin', proof: 'recent' } }
    },
    drain: () => current.drain(),
    advance: (ms) => advance(engine, ms),
    settle: () => advance(engine, 24 * 3_600_000, { stopWhenIdle: true }),
    sweep: async () => {
      const repairs = await sweep(deps)
      const woken = await deps.db.transaction((tx) =>
        wakeOverdue(deps, tx, { holders: [], expiredToo: true }),
      )
      // An event whose job has not run yet is late, not lost.
      await sweepEvents(deps)
      return repairs + woken + (await sweepBatches(deps))
    },
    violations: () => findEngineViolations(engine),
    jobErrors: async () => {
      const { rows } = await pool.query<{ error: string }>(
        `select last_error as error from graphile_worker._private_jobs where last_error is not null`,
      )
      return rows.map(({ error }) => error)
    },
    close: async () => {
      await booted.close()
      await wire?.provider.stop()
      await wire?.sim.stop()
      await database.drop()
      await fs.rm(dataDir, { recursive: true, force: true })
    },
  }
  return engine
}

/** Starts the product's own adapter in front of a simulator that follows the engine's clock. */
async function openWire(
  flavour: Flavour,
  { clock, scenario = {} }: { clock: EngineClock; scenario?: ScenarioInput },
) {
  const sim = await startSimulator({ clock: followingClock(clock.nowHere), scenario })
  return { sim, provider: sim.provider(flavour, { VIDEO_PROVIDER_TIME_SCALE: '1' }) }
}

function bootIn(dataDir: string, url: string, env: Record<string, string>) {
  const result = readEnv({
    NODE_ENV: 'test',
    ...testEnv(url, dataDir),
    // Waiting costs no time here, so every pause is as long as in production.
    VIDEO_PROVIDER_TIME_SCALE: '1',
    LOG_LEVEL: 'silent',
    ...env,
  })
  if (!result.ok) throw new Error(result.problems.join('; '))
  return boot({
    env: result.env,
    name: 'test',
    buildDir: path.resolve('build'),
    poolSize: 64,
    // On a busy machine the product gives up soon. A test waits.
    connectTimeoutMs: 60_000,
    statementTimeoutMs: 30_000,
  })
}

/** The cheap half of the inspection. The half that runs in a child process has its own tests. */
const checkBoxes: Deps['inspectClip'] = async ({ path: file }) => {
  const walk = await walkBoxes(file)
  if (!walk.ok) return walk
  const facts = { codec: 'avc', width: 64, height: 112, durationMs: 1000, poster: false }
  return { ok: true, facts }
}

async function makeUser({ pool, deps }: Engine, columns: Partial<UserColumns>): Promise<UserCtx> {
  const { plan = 'Starter', role = 'user' } = columns
  const { pace, videosPerDay } = DEFAULT_PLANS[plan ?? 'Starter']
  const row = {
    plan,
    role,
    video_limit: videosPerDay,
    speed_limit: pace.videos,
    video_generation_speed: pace.delaySeconds,
    ...columns,
  }
  const id = newId()
  const username = `0333${phones++}`
  const names = Object.keys(row)
  await pool.query(
    `insert into users (id, username, phone, ${names.join(', ')})
     values ($1, $2, $2, ${names.map((_, i) => `$${i + 3}`).join(', ')})`,
    [id, username, ...Object.values(row)],
  )
  return {
    ...deps,
    requestId: newId(),
    actor: { kind: 'user', id, username, role },
  }
}

async function advance(
  { pool, clock, worker }: Engine,
  ms: number,
  { stopWhenIdle = false } = {},
): Promise<void> {
  const target = (await clock.now()) + ms
  for (;;) {
    await worker().drain()
    if (worker().killSwitch.isDead()) return
    const { rows } = await pool.query<{ next: number | null }>(
      `select extract(epoch from min(run_at))::float * 1000 as next
       from graphile_worker._private_jobs where is_available`,
    )
    const next = rows[0]?.next ?? Infinity
    if (stopWhenIdle && next === Infinity) return
    await clock.moveTo(Math.min(next, target))
    if (next > target) return worker().drain()
  }
}
