import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import {
  run,
  type ParsedCronItem,
  type Runner,
  type RunnerOptions,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import type { Boot } from '~/boot/deps.server'
import { seconds } from '~/lib/time'
import { graphileLogger } from './graphile-log'

export type RunnerConfig = {
  taskList: TaskList
  concurrency: number
  /** How often jobs that were added for later are looked for; new ones are told of at once. */
  pollIntervalMs: number
  cronItems?: ParsedCronItem[]
}

/** Jobs taken ahead of time go back to the queue after this long without a free place. */
const LOCAL_TTL_MS = 2_000
/** Every runner is told of every new job. One that finds none of its own pauses for so long. */
const DEAF_MS = 20
/** Ends of jobs are collected for so long and noted in one statement. */
const NOTED_TOGETHER_MS = 10
const RESTART_PAUSE_MS = 500
/** How long a runner that gave up may take to end its jobs before its locks are released. */
const LEAVING_MS = seconds(90)

export type KeptRunner = {
  /** The names under which it takes jobs: one, and those of runners that are still leaving. */
  pools: () => string[]
  /** Resolves when the first one takes jobs. */
  started: Promise<void>
  /** Takes no more jobs; resolves when those it is at have ended. */
  stop: () => Promise<void>
}

/**
 * Keeps a runner of graphile-worker going. A runner gives up when it cannot note the end of a job, as
 * in an outage of the database, or when a request for jobs failed: they may be locked in its name, and
 * it does not know them. The process goes on, and the next runner starts at once. The old one ends its
 * running jobs; then the jobs still locked in its name are unlocked and run once more.
 */
export function keepRunner(booted: Boot, config: RunnerConfig): KeptRunner {
  const leaving = new Set<string>()
  const endings = new Set<Promise<void>>()
  let current: Started | undefined
  let isStopping = false
  const mayRun = () => !isStopping
  let tellStarted: () => void = () => undefined
  const started = new Promise<void>((resolve) => (tellStarted = resolve))

  const retire = async ({ runner, pool, ended }: Started) => {
    leaving.add(pool)
    endings.add(ended)
    void runner.stop().catch(() => undefined)
    await Promise.race([ended, setTimeout(LEAVING_MS, undefined, { ref: false })])
    while (mayRun()) {
      try {
        await booted.deps.db.transaction((tx) => booted.deps.queue.release(tx, [pool]))
        break
      } catch {
        await setTimeout(RESTART_PAUSE_MS)
      }
    }
    leaving.delete(pool)
    endings.delete(ended)
  }

  const keep = async () => {
    while (mayRun()) {
      try {
        current = await startRunner(booted, config)
        const runner = current
        tellStarted()
        if (mayRun()) await runner.givesUp
        // Also where it was asked to stop while this one was starting.
        if (!mayRun()) return await runner.runner.stop().catch(() => undefined)
        booted.log.warn({ pool: runner.pool }, 'a runner of jobs gave up; the next one starts')
        void retire(runner)
      } catch (error) {
        booted.log.warn({ err: error }, 'a runner of jobs could not start')
      }
      await setTimeout(RESTART_PAUSE_MS)
    }
  }
  const kept = keep()
  return {
    pools: () => [...leaving, ...(current ? [current.pool] : [])],
    started,
    stop: async () => {
      isStopping = true
      await Promise.all([current?.runner.stop().catch(() => undefined), kept, ...endings])
    },
  }
}

type Started = {
  runner: Runner
  pool: string
  /** Resolves as soon as it takes no more jobs. */
  givesUp: Promise<void>
  /** Resolves when the last of its jobs has ended. */
  ended: Promise<void>
}

async function startRunner({ queuePool, log }: Boot, config: RunnerConfig): Promise<Started> {
  const events: WorkerEvents = new EventEmitter()
  let pool = ''
  events.once('pool:create', ({ workerPool }) => (pool = workerPool.id))
  const shutDown = new Promise<void>((resolve) => {
    events.once('pool:gracefulShutdown', () => resolve())
  })
  let giveUp: () => void = () => undefined
  const isAtALoss = new Promise<void>((resolve) => (giveUp = resolve))
  const runner = await run({
    pgPool: queuePool,
    taskList: config.taskList,
    parsedCronItems: config.cronItems ?? [],
    preset: presetOf(config),
    noHandleSignals: true,
    events,
    logger: graphileLogger(log, giveUp),
  })
  const ended = runner.promise.then(
    () => undefined,
    (error: unknown) => log.warn({ err: error }, 'a runner of jobs ended'),
  )
  return { runner, pool, ended, givesUp: Promise.race([shutDown, ended, isAtALoss]) }
}

const presetOf = ({
  concurrency,
  pollIntervalMs,
}: RunnerConfig): NonNullable<RunnerOptions['preset']> => ({
  worker: {
    concurrentJobs: concurrency,
    pollInterval: pollIntervalMs,
    // One question to the database for all places together, not one for each of them.
    localQueue: {
      size: concurrency,
      ttl: LOCAL_TTL_MS,
      refetchDelay: { durationMs: DEAF_MS, maxAbortThreshold: 5 * concurrency },
    },
    completeJobBatchDelay: NOTED_TOGETHER_MS,
    failJobBatchDelay: NOTED_TOGETHER_MS,
  },
})
