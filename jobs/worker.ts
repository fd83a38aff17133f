import { EventEmitter } from 'node:events'
import os from 'node:os'
import { run, type Runner, type WorkerEvents } from 'graphile-worker'
import type { Logger } from 'pino'
import { boot, type Boot } from '~/boot/deps.server'
import { seconds } from '~/lib/time'
import {
  beat,
  buryDeadWorkers,
  endLease,
  takeLease,
  type Lease,
} from '~/domain/videos/engine/leases.server'
import { requireEnv } from '~/platform/env.server'
import { cronItems } from './cron'
import { graphileLogger } from './graphile-log'
import { bindTasks } from './task-list'

// The worker is disposable (reliability rule R2): whatever it cannot explain ends it, and the next
// one takes its work over. Nothing it holds is lost by that; see leases.server.ts.

const BEAT_EVERY_MS = seconds(2)
/** Others bury a silent worker after LEASE_SECONDS; it must have stopped writing before. */
const GIVE_UP_AFTER_MS = seconds(8)
const DRAIN_MS = seconds(25)

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

/** Beats until it fails for too long or finds itself buried; buries others on the way. */
function keepAlive({ deps, log }: Boot, self: Lease): NodeJS.Timeout {
  let lastBeat = performance.now()
  return setInterval(async () => {
    try {
      if (!(await beat(deps.db, self.poolId))) die(log, undefined, 'this worker was taken for dead')
      lastBeat = performance.now()
      await buryDeadWorkers(deps, { self, isProcessAlive })
    } catch (error) {
      if (performance.now() - lastBeat > GIVE_UP_AFTER_MS)
        die(log, error, 'no heartbeat for too long')
      log.warn({ err: error }, 'heartbeat failed')
    }
  }, BEAT_EVERY_MS)
}

async function main(): Promise<void> {
  const env = requireEnv(process.env)
  const booted = boot({
    env,
    name: 'worker',
    buildDir: import.meta.dirname,
    poolSize: env.WORKER_CONCURRENCY + 4,
    statementTimeoutMs: 30_000,
  })
  const { deps, pool, log } = booted
  process.on('uncaughtException', (error) => die(log, error, 'uncaught exception'))
  process.on('unhandledRejection', (error) => die(log, error, 'unhandled rejection'))
  process.on('disconnect', () => die(log, undefined, 'the supervisor is gone'))

  const stopping = new AbortController()
  const events: WorkerEvents = new EventEmitter()
  const leased = new Promise<Lease>((resolve, reject) => {
    events.once('pool:create', ({ workerPool }) => {
      const lease: Lease = { poolId: workerPool.id, pid: process.pid, host: os.hostname() }
      takeLease(deps.db, lease).then(() => resolve(lease), reject)
    })
  })
  const runner = await run({
    pgPool: pool,
    taskList: bindTasks({
      deps,
      poolId: leased.then(({ poolId }) => poolId),
      signal: stopping.signal,
    }),
    parsedCronItems: cronItems,
    concurrency: env.WORKER_CONCURRENCY,
    pollInterval: 500,
    noHandleSignals: true,
    events,
    logger: graphileLogger(log),
  })
  const lease = await leased
  await buryDeadWorkers(deps, { self: lease, isProcessAlive })
  const heart = keepAlive(booted, lease)
  runner.promise.then(
    () => stopping.signal.aborted || die(log, undefined, 'the runner stopped by itself'),
    (error: unknown) => die(log, error, 'the runner failed'),
  )
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void stop({ booted, runner, lease, heart, stopping }))
  }
  log.info({ poolId: lease.poolId }, 'worker ready')
  process.send?.('ready')
}

type Running = {
  booted: Boot
  runner: Runner
  lease: Lease
  heart: NodeJS.Timeout
  stopping: AbortController
}

/** Lets jobs in flight reach their next durable step, then leaves in good order. */
async function stop({ booted, runner, lease, heart, stopping }: Running): Promise<void> {
  const { log, deps } = booted
  log.info('worker stopping')
  setTimeout(() => die(log, undefined, 'could not stop in time'), DRAIN_MS).unref()
  stopping.abort()
  await runner.stop()
  clearInterval(heart)
  await endLease(deps.db, lease.poolId)
  await booted.close()
  process.exit(0)
}

await main()
