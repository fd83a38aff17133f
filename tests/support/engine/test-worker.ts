import type { JobHelpers } from 'graphile-worker'
import type pg from 'pg'
import type { Deps } from '../../../app/domain/context'
import { openLeases } from '../../../app/domain/videos/engine/leases'
import { wakeOverdue } from '../../../app/domain/videos/engine/overdue.server'
import { DISPATCH_SOON } from '../../../app/domain/videos/engine/next-in-line.server'
import {
  heartbeat,
  forgetProcesses,
  type WorkerProcess,
} from '../../../app/domain/videos/engine/processes.server'
import { allTasks, bindTasks } from '../../../jobs/task-list'
import type { EngineClock } from './clock'
import { Killed, mortalDb, mortalProvider, newKillSwitch, type KillSwitch } from './kill-switch'

type Job = { id: string; task: string; payload: unknown; attempts: number }

/** A worker in this process: it claims graphile-worker's rows and runs the product's tasks. */
export type TestWorker = {
  killSwitch: KillSwitch
  process: WorkerProcess
  /** Runs all due jobs, and those that become due by them, until none is left or it is killed. */
  drain: () => Promise<void>
  /** Runs one round of due jobs. Returns false if there was none. */
  step: () => Promise<boolean>
  /** Writes a heartbeat. */
  heartbeat: () => Promise<void>
  /** Takes over the work of workers that are gone or silent, as a worker does at each heartbeat. */
  lookAfterOthers: () => Promise<number>
}

type TestWorkerInput = { deps: Deps; pool: pg.Pool; clock: EngineClock; random: () => number }

const AT_ONCE = 8
/** The most consecutive waits for a lock. More would mean that a test holds the lock on purpose. */
const MOST_LOOKS = 20
let pools = 0

export async function startTestWorker({
  deps,
  pool,
  clock,
  random,
}: TestWorkerInput): Promise<TestWorker> {
  const killSwitch = newKillSwitch()
  const number = ++pools
  const leases = openLeases()
  const poolId = `pool-test-${number}`
  const machine = { host: 'test', bootId: 'test', pidNamespace: 'test' }
  const process: WorkerProcess = { id: leases.holder, pid: number, ...machine }
  const heartbeatNow = () => heartbeat(deps, { ...process, pools: [poolId] }, leases)
  await heartbeatNow()
  const mine: Deps = {
    ...deps,
    db: mortalDb(deps.db, killSwitch),
    provider: mortalProvider(deps.provider, killSwitch),
  }
  const tasks = bindTasks(allTasks, {
    deps: mine,
    leases,
    signal: new AbortController().signal,
    // Sleeping waits for an instant: two concurrent sleeps of the same length end together.
    sleep: async (ms) => clock.moveTo((await clock.now()) + ms),
  })

  const run = async (job: Job) => {
    const helpers = { job: { id: job.id } } as JobHelpers
    try {
      const task = tasks[job.task]
      if (!task) throw new Error(`no such task: ${job.task}`)
      await task(job.payload, helpers)
      await killSwitch.pass('before the job is done with')
      await pool.query(`delete from graphile_worker._private_jobs where id = $1`, [job.id])
    } catch (error) {
      // The job of a dead worker stays locked until another worker releases it.
      if (error instanceof Killed) return
      await putBack(pool, job, error)
    }
  }

  const step = async () => {
    if (killSwitch.isDead()) return false
    const due = await takeDue(pool, poolId)
    if (due.length === 0) return false
    shuffle(due, random)
    await Promise.all(due.map(run))
    return true
  }
  return {
    killSwitch,
    process,
    heartbeat: heartbeatNow,
    step,
    drain: async () => {
      for (let looks = 0; looks <= MOST_LOOKS; looks++) {
        while (await step());
        if (killSwitch.isDead() || !(await reachNextLook(pool, clock))) return
      }
    },
    lookAfterOthers: () =>
      deps.db.transaction(async (tx) => {
        const holders = await forgetProcesses(deps, tx, {
          gone: [...killedWorkers],
          silentToo: true,
        })
        return wakeOverdue(deps, tx, { holders, expiredToo: false })
      }),
  }
}

/** Ids of the workers that were killed. */
export const killedWorkers = new Set<string>()

async function takeDue(pool: pg.Pool, poolId: string): Promise<Job[]> {
  const { rows } = await pool.query<Job>(
    `with due as (
       update graphile_worker._private_jobs as jobs
       set locked_at = now(), locked_by = $1, attempts = attempts + 1
       where id in (select id from graphile_worker._private_jobs
         where locked_at is null and attempts < max_attempts and run_at <= engine_now()
         order by priority, run_at, id limit ${AT_ONCE} for update skip locked)
       returning jobs.id, task_id, payload, attempts)
     select due.id::text, identifier as task, payload, attempts
     from due join graphile_worker._private_tasks as tasks on tasks.id = due.task_id`,
    [poolId],
  )
  return rows
}

/**
 * A dispatcher that found the line locked looks again after a tenth of a second, which is part of
 * draining. Moves the clock to that look. Returns false if there is none.
 */
async function reachNextLook(pool: pg.Pool, clock: EngineClock): Promise<boolean> {
  const { rows } = await pool.query<{ at: number }>(
    `select extract(epoch from run_at)::float * 1000 as at
     from graphile_worker._private_jobs where key = $1 and locked_at is null`,
    [DISPATCH_SOON.key],
  )
  const [look] = rows
  if (look) await clock.moveTo(look.at)
  return look !== undefined
}

/** Retries the job after a pause that grows with each attempt, as graphile-worker does. */
async function putBack(pool: pg.Pool, { id, attempts }: Job, error: unknown): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set locked_at = null, locked_by = null, last_error = $2,
       run_at = engine_now() + exp(least(10, $3::float)) * interval '1 second'
     where id = $1`,
    [
      id,
      error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error),
      attempts,
    ],
  )
}

function shuffle(list: Job[], random: () => number): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[list[i], list[j]] = [list[j]!, list[i]!]
  }
}
