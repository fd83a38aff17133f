import type { Logger } from 'pino'
import { boot, type Boot } from '~/boot/deps.server'
import { keepDefaultCredential } from '~/domain/tokens/credentials.server'
import {
  beat,
  buryDeadWorkers,
  endLeases,
  handOnWorkOfNobody,
  type Lease,
} from '~/domain/videos/engine/leases.server'
import { bringBackSoon, jobsHeld } from '~/domain/videos/engine/queue-care.server'
import { seconds } from '~/lib/time'
import { requireEnv, type Env } from '~/platform/env.server'
import { cronItems } from './cron'
import { startRunner, type LeasedRunner, type RunnerConfig } from './runner'
import { clipTasks, houseTasks, orderTasks, paceTasks, questionTasks } from './task-list'

// The worker is disposable (reliability rule R2): whatever it cannot explain ends it, and the next
// one takes its work over. Nothing it holds is lost by that; see leases.server.ts.

const BEAT_EVERY_MS = seconds(2)
/** Others bury a silent worker after LEASE_SECONDS; it must have stopped writing before. */
const GIVE_UP_AFTER_MS = seconds(8)
const DRAIN_MS = seconds(25)
/**
 * Connections beside those for WORKER_CONCURRENCY jobs. There are fewer connections than places,
 * because who waits for the provider or for a round's moment uses none (decision 54).
 */
const MORE_CONNECTIONS = 28

/** How many jobs of each kind run at once, and how soon those added for later are seen. */
const runnersOf = ({ WORKER_CONCURRENCY: calls }: Env): Omit<RunnerConfig, 'signal'>[] => [
  // Asleep or going out. The queue hands them out in the order in which they are due, so a place
  // that becomes free takes the round that is due next.
  { tasks: paceTasks, concurrency: 48, pollIntervalMs: 200 },
  { tasks: orderTasks, concurrency: calls, pollIntervalMs: 500 },
  { tasks: questionTasks, concurrency: Math.ceil(calls / 2), pollIntervalMs: 500 },
  { tasks: clipTasks, concurrency: Math.ceil(calls / 2), pollIntervalMs: 500 },
  { tasks: houseTasks, concurrency: 4, pollIntervalMs: 500, cronItems },
]

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function die(log: Logger, error: unknown, why: string): never {
  log.fatal({ err: error }, why)
  process.exit(1)
}

type Running = {
  booted: Boot
  runners: readonly LeasedRunner[]
  leases: readonly Lease[]
  stopping: AbortController
}

/**
 * Beats until it fails for too long or finds itself buried; buries others on the way. A worker in
 * whose name the queue holds a job that it never heard of leaves, and lets go of that job by leaving.
 */
function keepAlive(running: Running): NodeJS.Timeout {
  const { booted, leases, stopping } = running
  const { deps, log } = booted
  let lastBeat = performance.now()
  let unheardOf: string[] = []
  const heart = setInterval(async () => {
    try {
      if (!(await beat(deps.db, leases))) die(log, undefined, 'this worker was taken for dead')
      lastBeat = performance.now()
      await buryDeadWorkers(deps, { own: leases, isProcessAlive })
      await handOnWorkOfNobody(deps)
      await bringBackSoon(deps.db)
      if (stopping.signal.aborted) return
      const before = unheardOf
      unheardOf = await jobsUnheardOf(running)
      // Asked twice: after a standstill the queue's answer may lie here unread.
      const lost = unheardOf.filter((id) => before.includes(id))
      if (lost.length === 0) return
      log.warn({ jobIds: lost }, 'this worker never heard of jobs that it was given; it makes way')
      void stop(running, heart)
    } catch (error) {
      if (performance.now() - lastBeat > GIVE_UP_AFTER_MS) {
        die(log, error, 'no heartbeat for too long')
      }
      log.warn({ err: error }, 'heartbeat failed')
    }
  }, BEAT_EVERY_MS)
  return heart
}

async function jobsUnheardOf({ booted, runners, leases }: Running): Promise<string[]> {
  const held = await jobsHeld(booted.deps.db, leases)
  return held.filter((id) => !runners.some(({ atWork }) => atWork.has(id)))
}

async function main(): Promise<void> {
  const env = requireEnv(process.env)
  const booted = boot({
    env,
    name: 'worker',
    buildDir: import.meta.dirname,
    poolSize: env.WORKER_CONCURRENCY + MORE_CONNECTIONS,
    connectTimeoutMs: GIVE_UP_AFTER_MS,
    statementTimeoutMs: 30_000,
  })
  const { deps, log } = booted
  process.on('uncaughtException', (error) => die(log, error, 'uncaught exception'))
  process.on('unhandledRejection', (error) => die(log, error, 'unhandled rejection'))
  process.on('disconnect', () => die(log, undefined, 'the supervisor is gone'))

  await keepDefaultCredential(deps, env.VIDEO_PROVIDER_TOKEN)
  const stopping = new AbortController()
  const { signal } = stopping
  const runners = await Promise.all(
    runnersOf(env).map((config) => startRunner(booted, { ...config, signal })),
  )
  const leases = runners.map(({ lease }) => lease)
  await buryDeadWorkers(deps, { own: leases, isProcessAlive })
  const running = { booted, runners, leases, stopping }
  const heart = keepAlive(running)
  for (const { runner } of runners) {
    runner.promise.then(
      () => signal.aborted || die(log, undefined, 'a runner stopped by itself'),
      (error: unknown) => die(log, error, 'a runner failed'),
    )
  }
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => void stop(running, heart))
  }
  log.info({ pools: leases.map(({ poolId }) => poolId) }, 'worker ready')
  process.send?.('ready')
}

/** Lets jobs in flight reach their next durable step, then leaves in good order. */
async function stop(
  { booted, runners, leases, stopping }: Running,
  heart: NodeJS.Timeout,
): Promise<void> {
  const { log, deps } = booted
  if (stopping.signal.aborted) return
  log.info('worker stopping')
  setTimeout(() => die(log, undefined, 'could not stop in time'), DRAIN_MS).unref()
  stopping.abort()
  await Promise.all(runners.map(({ runner }) => runner.stop()))
  clearInterval(heart)
  await endLeases(deps, leases)
  await booted.close()
  process.exit(0)
}

await main()
