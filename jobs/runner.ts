import { EventEmitter } from 'node:events'
import os from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { run, type ParsedCronItem, type Runner, type WorkerEvents } from 'graphile-worker'
import type { Boot } from '~/boot/deps.server'
import { takeLease, type Lease } from '~/domain/videos/engine/leases.server'
import type { JobName } from '~/platform/queue/catalog'
import { graphileLogger } from './graphile-log'
import type { Task } from './task'
import { bindTasks } from './task-list'

export type RunnerConfig = {
  tasks: Partial<Record<JobName, Task>>
  concurrency: number
  /** How often jobs that were added for later are looked for; new ones are told of at once. */
  pollIntervalMs: number
  cronItems?: ParsedCronItem[]
  signal: AbortSignal
}

/** What this process took but has no place for goes back to the others after so long. */
const LOCAL_TTL_MS = 2_000

/** Every runner hears of every new job; one that found none of its own does not look again so soon. */
const DEAF_MS = 20
/**
 * Jobs that end within so long are noted in one statement, which is sent again while the database is
 * away: a worker survives that, with whatever the provider has just told it.
 */
const NOTED_TOGETHER_MS = 10

export type LeasedRunner = {
  runner: Runner
  lease: Lease
  /** Numbers of the jobs that its places are at. */
  atWork: ReadonlySet<string>
}

/** Starts a runner and writes its lease; no task begins before the lease stands. */
export async function startRunner(
  { deps, pool, log }: Boot,
  config: RunnerConfig,
): Promise<LeasedRunner> {
  const events: WorkerEvents = new EventEmitter()
  const atWork = new Set<string>()
  events.on('job:start', ({ job }) => atWork.add(job.id))
  events.on('job:complete', ({ job }) => atWork.delete(job.id))
  const leased = new Promise<Lease>((resolve, reject) => {
    events.once('pool:create', ({ workerPool }) => {
      const lease: Lease = { poolId: workerPool.id, pid: process.pid, host: os.hostname() }
      takeLease(deps.db, lease).then(() => resolve(lease), reject)
    })
  })
  const poolId = leased.then((lease) => lease.poolId)
  const { signal } = config
  // Ends early when the worker has to stop; whoever sleeps looks at the signal.
  const sleep = (ms: number) => setTimeout(ms, undefined, { signal }).catch(() => undefined)
  const runner = await run({
    pgPool: pool,
    taskList: bindTasks(config.tasks, { deps, poolId, signal, sleep }),
    parsedCronItems: config.cronItems ?? [],
    preset: {
      worker: {
        concurrentJobs: config.concurrency,
        pollInterval: config.pollIntervalMs,
        // One question to the database for all places together, not one for each of them.
        localQueue: {
          size: config.concurrency,
          ttl: LOCAL_TTL_MS,
          refetchDelay: { durationMs: DEAF_MS, maxAbortThreshold: 5 * config.concurrency },
        },
        completeJobBatchDelay: NOTED_TOGETHER_MS,
        failJobBatchDelay: NOTED_TOGETHER_MS,
      },
    },
    noHandleSignals: true,
    events,
    logger: graphileLogger(log),
  })
  return { runner, lease: await leased, atWork }
}
