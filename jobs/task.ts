import type { JobHelpers, Task as GraphileTask } from 'graphile-worker'
import type { Deps } from '~/domain/context'
import type { EngineCtx } from '~/domain/videos/engine/context'
import type { Leases } from '~/domain/videos/engine/leases'
import { jobDurations } from './metrics'
import { jobCatalog, requestOf, type JobName, type JobPayload } from '~/platform/queue/catalog'

/** What a worker process provides to every task it runs. */
export type WorkerScope = {
  deps: Deps
  leases: Leases
  signal: AbortSignal
  sleep: (ms: number) => Promise<void>
}

/** A task that is not bound to a worker yet; `bindTasks` in task-list.ts does that. */
export type Task = (scope: WorkerScope) => GraphileTask

/**
 * Wraps a function as a background task: parses the payload, builds the context and logs the end.
 * An invalid payload is logged and dropped, because a retry would not help. Errors are passed to
 * the queue, which retries the job.
 */
export function task<Name extends JobName>(
  name: Name,
  run: (ctx: EngineCtx, payload: JobPayload<Name>) => Promise<unknown>,
): Task {
  return (scope) => async (payload, helpers) => {
    const parsed = jobCatalog[name].safeParse(payload)
    if (!parsed.success) {
      scope.deps.log.error(
        { job: name, issues: parsed.error.issues },
        'dropped a job with an unreadable payload',
      )
      return
    }
    const startedAt = performance.now()
    const ctx = contextOf(name, scope, { helpers, requestId: requestOf(parsed.data) })
    const noteEnd = jobDurations.startTimer({ task: name })
    try {
      await run(ctx, parsed.data)
      noteEnd({ outcome: 'done' })
    } catch (error) {
      noteEnd({ outcome: 'failed' })
      throw error
    }
    ctx.log.debug({ ms: Math.round(performance.now() - startedAt) }, 'job done')
  }
}

/**
 * Serialises a task whose every run does all work that is due. While it runs, one further job waits
 * and runs after it. All other jobs return at once, instead of each waiting with a connection. If
 * the process is killed nothing is lost: the waiting job is still locked and is retried.
 */
export function oneAtATime(bind: Task): Task {
  return (scope) => {
    const run = bind(scope)
    let running: Promise<unknown> | undefined
    let isOneWaiting = false
    return async (payload, helpers) => {
      if (running) {
        if (isOneWaiting) return
        isOneWaiting = true
        await running.catch(() => undefined)
        isOneWaiting = false
      }
      const mine = Promise.resolve(run(payload, helpers))
      running = mine
      try {
        await mine
      } finally {
        if (running === mine) running = undefined
      }
    }
  }
}

type Origin = { helpers: JobHelpers; requestId: string | undefined }

function contextOf(
  name: JobName,
  { deps, leases, signal, sleep }: WorkerScope,
  { helpers: { job }, requestId }: Origin,
): EngineCtx {
  return {
    ...deps,
    log: deps.log.child({ job: name, jobId: job.id, requestId }),
    actor: { kind: 'system', job: name },
    requestId: requestId ?? `job:${job.id}`,
    leases,
    signal,
    sleep,
  }
}
