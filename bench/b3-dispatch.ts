import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Logger, run } from 'graphile-worker'
import { NO_TEXTS } from '../app/domain/videos/order-fields'
import { boot, type Boot } from '../app/boot/deps.server'
import { startBatch } from '../app/domain/batches/start-batch.server'
import type { Deps } from '../app/domain/context'
import { readEnv } from '../app/platform/env.server'
import { openLeases } from '../app/domain/videos/engine/leases'
import { superviseRunner } from '../jobs/runner'
import { bindTasks, clipTasks, orderTasks, roundTasks, pollTasks } from '../jobs/task-list'
import { openFakeProvider } from '../tests/support/engine/fake-provider'
import { startInstallation, type Installation } from '../tests/support/installation'
import { until } from '../tests/support/wait'
import { startCpuMeter } from './cpu'
import { round } from './measure'

const CONCURRENCY = 50
/**
 * The number of users, the same for every length of the line, because the line takes turns between
 * users.
 */
const USERS = 1_000
/** Batches accepted concurrently while the line is filled. */
const FILLERS = 8
/** How long the worker is measured at each length of the line. */
const WATCH_MS = 15_000
/** Time to fill the line: a hundred thousand videos pass through rounds. It is not measured. */
const FILL_MS = 600_000

/**
 * `cpuMs` is the processor time per job, in this process and in PostgreSQL. Other load on the
 * machine does not change it.
 */
export type Rate = { perSecond: number; cpuMs: number }

export type Dispatch = {
  /** Videos finished per second, from the line to the stored clip, by number of waiting videos. */
  rates: ({ waiting: number } & Rate)[]
  noOps: Rate
  /** The rate of videos divided by that of empty jobs, and the ratio of their processor times. */
  ofNoOp: number
  ofNoOpByCpu: number
  /** With the shortest line and three providers, of which each stands in for another. */
  withThree: Rate
  /** The processor time of a video then, divided by that with one provider. */
  threeOverOneByCpu: number
  /** The rate with the longest line divided by that with the shortest. */
  longOverShort: number
}

/** B3: a worker drains lines of several lengths, with a provider that responds at once. */
export async function dispatch(lengths: readonly number[]): Promise<Dispatch> {
  const rates: Dispatch['rates'] = []
  for (const waiting of lengths) rates.push({ waiting, ...(await rateAt(waiting)) })
  const withThree = await rateAt(Math.min(...lengths), OTHERS)
  const noOps = await noOpRate()
  const [shortest, longest] = [rates[0] ?? noOps, rates.at(-1) ?? noOps]
  return {
    rates,
    noOps,
    withThree,
    threeOverOneByCpu: round(withThree.cpuMs / shortest.cpuMs),
    ofNoOp: round(longest.perSecond / noOps.perSecond),
    ofNoOpByCpu: round(noOps.cpuMs / longest.cpuMs),
    longOverShort: round(longest.perSecond / shortest.perSecond),
  }
}

/** Providers beside the first one, by their names. */
const OTHERS = ['second', 'third']

async function rateAt(waiting: number, others: readonly string[] = []): Promise<Rate> {
  const product = await startInstallation()
  const booted = bootFor(product, others)
  try {
    await fillLine(booted, product, { waiting, others })
    const stop = await startTasks(booted, { ...orderTasks, ...pollTasks, ...clipTasks })
    const rate = await finishedPerSecond(product, waiting)
    await stop()
    return rate
  } finally {
    await booted.close()
    await product.remove()
  }
}

/** Boots the product's own adapters, with a provider in this process that finishes at once. */
function bootFor({ env }: Installation, others: readonly string[]): Boot {
  const read = readEnv({
    NODE_ENV: 'test',
    ...env,
    LOG_LEVEL: 'silent',
    // Bounded: with more orders in progress, videos would only wait at a later step.
    PLATFORM_MAX_IN_FLIGHT: '500',
    VIDEO_PROVIDER_TIME_SCALE: '0.001',
  })
  if (!read.ok) throw new Error(read.problems.join('; '))
  const booted = boot({
    env: read.env,
    name: 'bench',
    buildDir: path.resolve('build'),
    poolSize: CONCURRENCY + 8,
    queuePoolSize: 12,
    connectTimeoutMs: 60_000,
    statementTimeoutMs: 60_000,
  })
  const fake = () =>
    openFakeProvider({
      now: Date.now,
      can: { expectedMs: 1 },
      scenario: { defaults: { generationMs: 0 } },
    })
  const otherProviders = others.map((kind) => ({ ...fake(), kind, adapter: 'fake' }))
  // A child process would inspect the frames of clips, which is not measured here.
  const inspectClip: Deps['inspectClip'] = async () => ({
    ok: true,
    facts: { codec: 'avc', width: 64, height: 112, durationMs: 1000, poster: false },
  })
  return { ...booted, deps: { ...booted.deps, provider: fake(), otherProviders, inspectClip } }
}

/** Fills the line through real batches and rounds. No task drains it yet. */
async function fillLine(
  booted: Boot,
  { db }: Installation,
  { waiting, others }: { waiting: number; others: readonly string[] },
): Promise<void> {
  const perUser = Math.ceil(waiting / USERS)
  const { rows } = await db.query<{ id: string; username: string }>(
    `insert into users (id, username, phone, plan, video_limit, speed_limit, video_generation_speed, route)
     select gen_random_uuid(), 'line' || n, 'line' || n, 'Enterprise', $2, $2, 0,
       ($3::text[])[1 + n % array_length($3::text[], 1)]
     from generate_series(1, $1::int) as n returning id, username`,
    [
      USERS,
      perUser,
      others.length === 0 ? ['first'] : ['first second', 'second third', 'third first'],
    ],
  )
  const prompts = Array.from({ length: perUser }, (_, i) => `A boat, scene ${i}`)
  const accept = async () => {
    for (let user = rows.pop(); user; user = rows.pop()) {
      const ctx = {
        ...booted.deps,
        requestId: 'bench',
        actor: { kind: 'user', role: 'user', ...user },
      } as const
      await startBatch(ctx, { prompts, aspectRatio: 'portrait', ...NO_TEXTS })
    }
  }
  await Promise.all(Array.from({ length: FILLERS }, accept))
  const stop = await startTasks(booted, roundTasks)
  await until(
    'the line to be full',
    async () => {
      const found = await db.query<{ count: number }>(
        `select count(*)::int as count from line_entries where state = 'ready'`,
      )
      return (found.rows[0]?.count ?? 0) >= waiting
    },
    FILL_MS,
  )
  await stop()
  await db.query('vacuum analyze')
}

type Tasks = Parameters<typeof bindTasks>[0]

async function startTasks(booted: Boot, tasks: Tasks): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  const { signal } = stopping
  const sleep = (ms: number) => setTimeout(ms, undefined, { signal }).catch(() => undefined)
  const scope = { deps: booted.deps, leases: openLeases(), signal, sleep }
  const runner = superviseRunner(booted, {
    taskList: bindTasks(tasks, scope),
    concurrency: CONCURRENCY,
    pollIntervalMs: 500,
  })
  return async () => {
    stopping.abort()
    await runner.stop()
    // The queue records finished jobs after it has stopped, and hangs if its pool is closed before
    // that.
    const { queuePool } = booted
    await until(
      'the last words',
      () => queuePool.waitingCount === 0 && queuePool.idleCount === queuePool.totalCount,
    )
  }
}

/**
 * Counts finished videos, from the first ones on, until the line is empty or WATCH_MS have passed.
 */
async function finishedPerSecond({ db }: Installation, waiting: number): Promise<Rate> {
  const done = async () => {
    const { rows } = await db.query<{ count: number }>(
      `select coalesce(sum(completed_portrait), 0)::int as count from galleries`,
    )
    return rows[0]?.count ?? 0
  }
  const first = await until('the first videos', async () => {
    const count = await done()
    return count > 0 && { count, at: performance.now() }
  })
  const cpuMs = await startCpuMeter(db)
  let last = first
  while (last.count < waiting && last.at - first.at < WATCH_MS) {
    await setTimeout(100)
    last = { count: await done(), at: performance.now() }
  }
  const count = last.count - first.count
  return {
    perSecond: round((count * 1000) / (last.at - first.at)),
    cpuMs: round((await cpuMs()) / count),
  }
}

const NO_OPS = 20_000

/** Measures the queue itself with jobs that do nothing, at the same concurrency. */
async function noOpRate(): Promise<Rate> {
  const product = await startInstallation()
  try {
    await product.db.query(
      `select graphile_worker.add_job('nothing', '{}'::json) from generate_series(1, $1::int)`,
      [NO_OPS],
    )
    let count = 0
    let finish: (at: number) => void = () => undefined
    const finished = new Promise<number>((resolve) => (finish = resolve))
    const cpuMs = await startCpuMeter(product.db)
    const startedAt = performance.now()
    const runner = await run({
      connectionString: product.env.DATABASE_URL ?? '',
      concurrency: CONCURRENCY,
      maxPoolSize: CONCURRENCY + 8,
      noHandleSignals: true,
      logger: new Logger(() => () => undefined),
      preset: { worker: { localQueue: { size: CONCURRENCY, ttl: 2000 } } },
      taskList: {
        nothing: () => {
          if (++count === NO_OPS) finish(performance.now())
          return Promise.resolve()
        },
      },
    })
    const endedAt = await finished
    await runner.stop()
    return {
      perSecond: round((NO_OPS * 1000) / (endedAt - startedAt)),
      cpuMs: round((await cpuMs()) / NO_OPS),
    }
  } finally {
    await product.remove()
  }
}
