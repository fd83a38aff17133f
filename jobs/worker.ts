import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { boot } from '~/boot/deps.server'
import { keepDefaultCredential } from '~/domain/tokens/credentials.server'
import { openLeases } from '~/domain/videos/engine/leases'
import { seconds } from '~/lib/time'
import { isDatabaseUnavailable } from '~/platform/db/unavailable'
import { requireEnv, type Env } from '~/platform/env.server'
import { hasPreviewPackages } from '~/platform/preview-packages.server'
import { cronItems } from './cron'
import { serveFigures } from './figures'
import { BEAT_EVERY_MS, openKeeper, type Keeper } from './keeper'
import { keepRunner, type KeptRunner, type RunnerConfig } from './runner'
import type { WorkerScope } from './task'
import {
  bindTasks,
  clipTasks,
  maintenanceTasks,
  orderTasks,
  roundTasks,
  questionTasks,
} from './task-list'
import { describeProcess } from './this-process'

// A worker ends when it is asked to, or for a bug. It does not end because the database is away or
// because there is much work. Whatever kills it, nothing that it holds is lost; see keeper.ts.

const DRAIN_MS = seconds(25)
/** A job rather waits for a connection than fails; a heartbeat that waited longer would be late. */
const CONNECT_MS = seconds(8)
/** For statements. Most jobs wait for the provider or for their moment and need no connection. */
const CONNECTIONS = 24
/** For the queue: one a runner to hear of new jobs, the others to take jobs and to note their end. */
const QUEUE_CONNECTIONS = 12

/** How many jobs of each kind run at once, and how soon those added for later are seen. */
function runnersOf({ WORKER_CONCURRENCY: calls }: Env, scope: WorkerScope): RunnerConfig[] {
  const bind = (tasks: Parameters<typeof bindTasks>[0]) => bindTasks(tasks, scope)
  const half = Math.ceil(calls / 2)
  return [
    // Asleep or going out. The queue hands them out in the order in which they are due, so a place
    // that becomes free takes the round that is due next.
    { taskList: bind(roundTasks), concurrency: 48, pollIntervalMs: 200 },
    { taskList: bind(orderTasks), concurrency: calls, pollIntervalMs: 500 },
    { taskList: bind(questionTasks), concurrency: half, pollIntervalMs: 500 },
    { taskList: bind(clipTasks), concurrency: half, pollIntervalMs: 500 },
    { taskList: bind(maintenanceTasks), concurrency: 4, pollIntervalMs: 500, cronItems },
  ]
}

function die(log: Logger, error: unknown, why: string): never {
  log.fatal({ err: error }, why)
  process.exit(1)
}

/** For what only the operator can change: a sentence, no stack. */
function leaveIf(problem: string | null): void {
  if (problem === null) return
  process.stderr.write(`The worker cannot run: ${problem}\n`)
  process.exit(1)
}

function dieOfFaults(log: Logger): void {
  process.on('uncaughtException', (error) => die(log, error, 'uncaught exception'))
  process.on('unhandledRejection', (error) => {
    // graphile-worker leaves some of its own statements to themselves.
    if (isDatabaseUnavailable(error)) log.warn({ err: error }, 'a statement failed unheard')
    else die(log, error, 'unhandled rejection')
  })
  process.on('disconnect', () => die(log, undefined, 'the supervisor is gone'))
}

async function main(): Promise<void> {
  const env = requireEnv(process.env)
  const booted = boot({
    env,
    name: 'worker',
    buildDir: import.meta.dirname,
    poolSize: CONNECTIONS,
    queuePoolSize: QUEUE_CONNECTIONS,
    connectTimeoutMs: CONNECT_MS,
    statementTimeoutMs: seconds(30),
  })
  const { deps, log } = booted
  if (!hasPreviewPackages()) {
    log.info('videos get no still pictures: the packages that make them are not installed')
  }
  dieOfFaults(log)

  const stopping = new AbortController()
  const { signal } = stopping
  const me = describeProcess()
  const leases = openLeases(me.id)
  const scope = {
    ...{ deps, leases, signal },
    // Ends early when the worker has to stop; whoever sleeps looks at the signal.
    sleep: (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined),
  }
  const runners: KeptRunner[] = []
  const pools = () => runners.flatMap((runner) => runner.pools())
  const keeper = openKeeper(deps, { process: me, leases, pools })
  stopOnSignals(log, stopping)
  const endFigures = serveFigures(booted)

  await untilThere(log, signal, async () => {
    leaveIf(await booted.whyUnfit())
    await keepDefaultCredential(deps, env.VIDEO_PROVIDER_TOKEN)
    await keeper.turn()
  })
  if (!signal.aborted) {
    runners.push(...runnersOf(env, scope).map((config) => keepRunner(booted, config)))
    // The next heartbeat tells under which names jobs are taken: what is killed before is found later.
    const started = Promise.all(runners.map((runner) => runner.started))
    await Promise.race([started, sleep(BEAT_EVERY_MS, undefined, { ref: false })])
    log.info({ process: me.id }, 'worker ready')
    process.send?.('ready')
    await beatUntilStopped(log, signal, keeper)
    await drain(log, keeper, runners)
    await keeper.leave()
  }
  endFigures()
  await booted.close()
  process.exit(0)
}

function stopOnSignals(log: Logger, stopping: AbortController): void {
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => {
      log.info('worker stopping')
      setTimeout(() => die(log, undefined, 'could not stop in time'), DRAIN_MS).unref()
      stopping.abort()
    })
  }
}

/** Tries again while the database is away. */
async function untilThere(log: Logger, signal: AbortSignal, work: () => Promise<void>) {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      log.warn({ err: error }, 'the database is away')
      await sleep(BEAT_EVERY_MS / 4)
    }
  }
}

async function beatUntilStopped(log: Logger, signal: AbortSignal, keeper: Keeper): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now()
    await keeper.turn().catch((error: unknown) => log.warn({ err: error }, 'a heartbeat failed'))
    const restMs = Math.max(0, startedAt + BEAT_EVERY_MS - performance.now())
    await sleep(restMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Lets jobs in flight reach their next durable step; their leases are extended until then. */
async function drain(log: Logger, keeper: Keeper, runners: readonly KeptRunner[]): Promise<void> {
  const drained = new AbortController()
  const beating = beatUntilStopped(log, drained.signal, keeper)
  await Promise.all(runners.map((runner) => runner.stop()))
  drained.abort()
  await beating
}

await main()
