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
import type { Logger } from 'pino'
import type { Boot } from '~/boot/deps.server'
import { seconds } from '~/lib/time'
import { graphileLogger } from './graphile-log'

export type RunnerConfig = {
  taskList: TaskList
  concurrency: number
  /** How often to look for delayed jobs. New jobs are announced at once by a notification. */
  pollIntervalMs: number
  cronItems?: ParsedCronItem[]
}

/** Prefetched jobs are returned to the queue after this long without a free place. */
const LOCAL_TTL_MS = 2_000
/**
 * Every runner is notified of every new job. A runner that finds none of its own pauses for this
 * long.
 */
const REFETCH_PAUSE_MS = 20
/** Completed and failed jobs are collected for this long and recorded in one statement. */
const ENDS_BATCH_MS = 10
const RESTART_PAUSE_MS = 500
/** How long a retired runner may take to finish its jobs before its locks are released. */
const LEAVING_MS = seconds(90)

export type SupervisedRunner = {
  /**
   * The names under which jobs are locked: the current runner's and those of runners still
   * stopping.
   */
  pools: () => string[]
  /** Resolves when the first runner takes jobs. */
  started: Promise<void>
  /** Stops taking jobs. Resolves when the running jobs have ended. */
  stop: () => Promise<void>
}

/**
 * Starts a graphile-worker runner and replaces it whenever it gives up. That happens when it cannot
 * record the end of a job, as in a database outage. It also happens when a request for jobs failed,
 * because jobs may then be locked in the runner's name without its knowledge. The process continues
 * and the next runner starts after a short pause. The old runner finishes its running jobs. Then the jobs that
 * are still locked in its name are unlocked and run again.
 */
export function superviseRunner(booted: Boot, config: RunnerConfig): SupervisedRunner {
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
        // Also reached if `stop` was called while this runner was starting.
        if (!mayRun()) return await runner.runner.stop().catch(() => undefined)
        booted.log.warn({ pool: runner.pool }, 'a job runner stopped; another one starts')
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
  /** Resolves as soon as the runner takes no more jobs. */
  givesUp: Promise<void>
  /** Resolves when the last job has ended. */
  ended: Promise<void>
}

async function startRunner({ queuePool, log }: Boot, config: RunnerConfig): Promise<Started> {
  const events: WorkerEvents = new EventEmitter()
  hearDuringPauses(events)
  countReturns(events)
  let pool = ''
  events.once('pool:create', ({ workerPool }) => (pool = workerPool.id))
  const shutDown = new Promise<void>((resolve) => {
    events.once('pool:gracefulShutdown', () => resolve())
  })
  let giveUp: () => void = () => undefined
  const lostTrack = new Promise<void>((resolve) => (giveUp = resolve))
  const runner = await run({
    pgPool: queuePool,
    taskList: config.taskList,
    parsedCronItems: config.cronItems ?? [],
    preset: { ...presetOf(config), plugins: [endsQuietly(log)] },
    noHandleSignals: true,
    events,
    logger: graphileLogger(log, giveUp),
  })
  const ended = runner.promise.then(
    () => undefined,
    (error: unknown) => log.warn({ err: error }, 'a runner of jobs ended'),
  )
  return { runner, pool, ended, givesUp: Promise.race([shutDown, ended, lostTrack]) }
}

/**
 * Makes a runner look for jobs after a pause (REFETCH_PAUSE_MS) in which a notification came.
 * graphile-worker forgets a notification that comes while it pauses, or while the request runs that
 * finds no job, and would find the job at the next look for delayed jobs only, half a second later.
 * Such a look pauses as well, so this happened to one video in ten.
 */
export function hearDuringPauses(events: WorkerEvents): void {
  events.on('localQueue:init', ({ localQueue }) => {
    let isPausing = false
    let isMissed = false
    events.on('pool:listen:notification', () => {
      isMissed ||= isPausing || localQueue.fetchInProgress
    })
    events.on('localQueue:getJobs:complete', ({ jobs }) => {
      // After a request that found jobs it does not pause, and looks again by itself.
      if (jobs.length > 0) isMissed = false
    })
    events.on('localQueue:refetchDelay:start', () => (isPausing = true))
    const wake = () => {
      isPausing = false
      // After its own handling of the pause's end, which may look for jobs as well.
      if (isMissed) queueMicrotask(() => localQueue.pulse(0))
      isMissed = false
    }
    events.on('localQueue:refetchDelay:expired', wake)
    events.on('localQueue:refetchDelay:abort', wake)
  })
}

/**
 * Makes a runner that stops wait until the jobs that it holds have been returned. graphile-worker counts what it
 * waits for, and refuses to count the return, because it has just said that it waits for nothing: then nobody
 * hears of a return that fails, and Node ends the process. While the queue holds jobs it waits for something.
 */
function countReturns(events: WorkerEvents): void {
  events.on('localQueue:init', ({ localQueue }) => {
    let leave = (): void => undefined
    events.on('localQueue:setMode', ({ newMode }) => {
      leave()
      leave = () => undefined
      if (newMode !== 'WAITING') return
      // eslint-disable-next-line @typescript-eslint/no-unsafe-call, @typescript-eslint/dot-notation -- private, and the only way to be waited for
      localQueue['background'](new Promise<void>((resolve) => (leave = resolve)))
    })
  })
}

/**
 * graphile-worker shuts a runner down by itself and does not hear when that fails, as it does without a
 * database. Nothing is lost then: `superviseRunner` unlocks what the runner held.
 */
const endsQuietly = (log: Logger): GraphileConfig.Plugin => ({
  name: 'EndsQuietly',
  version: '1',
  worker: {
    middleware: {
      poolGracefulShutdown: async (next) => {
        try {
          await next()
        } catch (error) {
          log.warn({ err: error }, 'a runner of jobs could not stop in good order')
        }
      },
    },
  },
})

const presetOf = ({
  concurrency,
  pollIntervalMs,
}: RunnerConfig): NonNullable<RunnerOptions['preset']> => ({
  worker: {
    concurrentJobs: concurrency,
    pollInterval: pollIntervalMs,
    // One query fetches jobs for all places, instead of one query per place.
    localQueue: {
      size: concurrency,
      ttl: LOCAL_TTL_MS,
      refetchDelay: { durationMs: REFETCH_PAUSE_MS, maxAbortThreshold: 5 * concurrency },
    },
    completeJobBatchDelay: ENDS_BATCH_MS,
    failJobBatchDelay: ENDS_BATCH_MS,
  },
})
