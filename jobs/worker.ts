import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { boot } from '~/boot/deps.server'
import type { Deps } from '~/domain/context'
import { allProviders, boundTo } from '~/domain/providers.server'
import { placeTokens, storeDefaultCredential } from '~/domain/tokens/credentials.server'
import { startLine } from '~/domain/videos/engine/breaker.server'
import { openLeases } from '~/domain/videos/engine/leases'
import { runningTimeout } from '~/lib/running-time'
import { seconds } from '~/lib/time'
import { isDatabaseUnavailable } from '~/platform/db/unavailable'
import { requireEnv, type Env } from '~/platform/env.server'
import { hasPreviewPackages } from '~/platform/preview-packages.server'
import { cronItems } from './cron'
import { serveMetrics } from './metrics'
import { HEARTBEAT_EVERY_MS, openHeartbeat, type Heartbeat } from './heartbeat'
import { superviseRunner, type SupervisedRunner, type RunnerConfig } from './runner'
import type { WorkerScope } from './task'
import {
  alarmTasks,
  bindTasks,
  clipTasks,
  maintenanceTasks,
  notificationTasks,
  orderTasks,
  roundTasks,
  pollTasks,
} from './task-list'
import { describeProcess } from './this-process'
import { folderProblem } from './writable'

// A worker exits on request or because of a bug, never because the database is unavailable or the
// load is high. However it ends, its work is not lost: see heartbeat.ts.

const DRAIN_MS = seconds(25)
/**
 * Long enough that jobs wait for a connection instead of failing, short enough that a heartbeat is
 * not late.
 */
const CONNECT_MS = seconds(8)
/** For statements. Most jobs wait for the provider or for their time and need no connection. */
const CONNECTIONS = 24
/**
 * For the queue: one per runner to listen for new jobs, the others to take jobs and record their
 * end.
 */
const QUEUE_CONNECTIONS = 14

/**
 * Returns the runners: how many jobs of each kind run at once, and how often to look for delayed
 * jobs.
 */
function runnersOf({ WORKER_CONCURRENCY: calls }: Env, scope: WorkerScope): RunnerConfig[] {
  const bind = (tasks: Parameters<typeof bindTasks>[0]) => bindTasks(tasks, scope)
  const half = Math.ceil(calls / 2)
  return [
    // These jobs sleep or release a round. The queue returns jobs in the order in which they are
    // due, so a free place takes the round that is due next.
    { taskList: bind(roundTasks), concurrency: 48, pollIntervalMs: 200 },
    { taskList: bind(orderTasks), concurrency: calls, pollIntervalMs: 500 },
    { taskList: bind(pollTasks), concurrency: half, pollIntervalMs: 500 },
    { taskList: bind(clipTasks), concurrency: half, pollIntervalMs: 500 },
    // One place for each channel.
    { taskList: bind(alarmTasks), concurrency: 3, pollIntervalMs: 1_000 },
    { taskList: bind(notificationTasks), concurrency: 8, pollIntervalMs: 1_000 },
    { taskList: bind(maintenanceTasks), concurrency: 4, pollIntervalMs: 500, cronItems },
  ]
}

function die(log: Logger, error: unknown, why: string): never {
  log.fatal({ err: error }, why)
  process.exit(1)
}

/**
 * Exits if there is a problem that only the operator can solve, with one sentence and no stack
 * trace.
 */
function exitIf(problem: string | null): void {
  if (problem === null) return
  process.stderr.write(`The worker cannot run: ${problem}\n`)
  process.exit(1)
}

function noteMissingPackages(log: Logger): void {
  if (hasPreviewPackages()) return
  log.info('videos get no still pictures: the packages that make them are not installed')
}

/** Logs what the operator has to mend before orders can work. The worker does not wait for it. */
function noteProviderProblems(deps: Deps, log: Logger): void {
  const signal = runningTimeout(seconds(30))
  for (const provider of allProviders(deps))
    void provider.problems?.(signal).then(
      (problems) => problems.forEach((problem) => log.warn({ provider: provider.kind }, problem)),
      (error: unknown) => log.warn({ err: error }, 'the provider could not be asked'),
    )
}

function exitOnBugs(log: Logger): void {
  process.on('uncaughtException', (error) => die(log, error, 'uncaught exception'))
  process.on('unhandledRejection', (error) => {
    // graphile-worker does not handle rejections of some of its own statements.
    if (isDatabaseUnavailable(error)) log.warn({ err: error }, 'a queue statement failed')
    else die(log, error, 'unhandled rejection')
  })
  process.on('disconnect', () => die(log, undefined, 'the supervisor is gone'))
}

/** Stores what the settings say about tokens and about the providers. */
async function takeSettings(deps: Deps, env: Env): Promise<void> {
  await placeTokens(deps)
  for (const [i, { token, digest }] of [env.provider, ...env.others].entries()) {
    const ofProvider = boundTo(deps, allProviders(deps)[i] ?? deps.provider)
    await storeDefaultCredential(ofProvider, token)
    await startLine(ofProvider, { digest })
  }
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
  noteMissingPackages(log)
  exitOnBugs(log)
  noteProviderProblems(deps, log)
  // Otherwise its downloads would make all other workers wait for a storage that seems to be away.
  exitIf(await folderProblem(env.DATA_DIR))
  const stopping = new AbortController()
  const { signal } = stopping
  const me = describeProcess()
  const leases = openLeases(me.id)
  const scope = {
    deps,
    leases,
    signal,
    // Resolves early when the worker has to stop; callers check the signal.
    sleep: (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined),
  }
  const runners: SupervisedRunner[] = []
  const pools = () => runners.flatMap((runner) => runner.pools())
  const heartbeat = openHeartbeat(deps, { process: me, leases, pools })
  stopOnSignals(log, stopping)
  const stopMetrics = serveMetrics(booted)

  await untilAvailable(log, signal, async () => {
    exitIf(await booted.databaseProblem())
    await takeSettings(deps, env)
    await heartbeat.send()
  })
  if (!signal.aborted) {
    runners.push(...runnersOf(env, scope).map((config) => superviseRunner(booted, config)))
    // The next heartbeat stores the names under which jobs are locked. If the process is killed
    // before that, its jobs are found later.
    const started = Promise.all(runners.map((runner) => runner.started))
    await Promise.race([started, sleep(HEARTBEAT_EVERY_MS, undefined, { ref: false })])
    log.info({ worker: me.id }, 'worker ready')
    process.send?.('ready')
    await sendHeartbeats(log, signal, heartbeat)
    await drain(log, heartbeat, runners)
    // Without a database the others find out later that this process has ended.
    await heartbeat.leave().catch((err: unknown) => log.warn({ err }, 'could not release its work'))
  }
  stopMetrics()
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

/** Runs work, and retries it while the database is unavailable. */
async function untilAvailable(log: Logger, signal: AbortSignal, work: () => Promise<void>) {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      log.warn({ err: error }, 'the database is unavailable')
      await sleep(HEARTBEAT_EVERY_MS / 4)
    }
  }
}

async function sendHeartbeats(
  log: Logger,
  signal: AbortSignal,
  heartbeat: Heartbeat,
): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now()
    await heartbeat.send().catch((error: unknown) => log.warn({ err: error }, 'a heartbeat failed'))
    const restMs = Math.max(0, startedAt + HEARTBEAT_EVERY_MS - performance.now())
    await sleep(restMs, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Stops the runners and lets running jobs reach their next durable step. Extends their leases until
 * then.
 */
async function drain(
  log: Logger,
  heartbeat: Heartbeat,
  runners: readonly SupervisedRunner[],
): Promise<void> {
  const drained = new AbortController()
  const sending = sendHeartbeats(log, drained.signal, heartbeat)
  await Promise.all(runners.map((runner) => runner.stop()))
  drained.abort()
  await sending
}

await main()
