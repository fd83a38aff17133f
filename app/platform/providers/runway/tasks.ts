import { pollAfter } from '../http/pace'
import type { AssetRef, PollResult } from '../port'
import { readFailureCode } from './errors'
import type { WireTask } from './wire'

type Reading = { ageMs: number; timeScale: number }

/** Returns the state of a task. An unknown status counts as running, until the deadline. */
export function readTask(task: WireTask, { ageMs, timeScale }: Reading): PollResult {
  const pollAfterMs = pollAfter(ageMs, timeScale)
  switch (task.status) {
    case 'PENDING':
    case 'THROTTLED':
      return { state: 'pending', phase: 'queued', pollAfterMs }
    case 'SUCCEEDED':
      return succeeded(task)
    case 'FAILED':
      return failed(task)
    case 'CANCELLED':
      return {
        state: 'failed',
        fault: { kind: 'permanent', reason: 'other' },
        evidence: { message: 'the task was cancelled at the provider', code: 'CANCELLED' },
      }
    default: {
      if (typeof task.progress !== 'number') {
        return { state: 'pending', phase: 'running', pollAfterMs }
      }
      const progress = Math.min(1, Math.max(0, task.progress))
      return { state: 'pending', phase: 'running', progress, pollAfterMs }
    }
  }
}

/** Returns the URLs of a finished task's clips. They expire; another poll returns fresh ones. */
function assetsOf({ output }: WireTask): readonly AssetRef[] {
  return (output ?? []).map((url) => ({ at: 'url', url, auth: 'none' }))
}

function succeeded(task: WireTask): PollResult {
  const [first, ...more] = assetsOf(task)
  if (first !== undefined) return { state: 'succeeded', assets: [first, ...more] }
  return {
    state: 'failed',
    fault: { kind: 'transient' },
    evidence: { message: 'the task succeeded and names no clip' },
  }
}

function failed({ failure, failureCode }: WireTask): PollResult {
  const code = failureCode ?? undefined
  return {
    state: 'failed',
    fault: readFailureCode(code),
    evidence: {
      message: failure ?? 'the task failed and gives no reason',
      ...(code === undefined ? {} : { code }),
    },
  }
}
