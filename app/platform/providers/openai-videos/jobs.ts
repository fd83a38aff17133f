import { pollAfter } from '../http/pace'
import type { AssetRef, Evidence, PollResult } from '../port'
import { readJobError } from './errors'
import type { WireJob } from './wire'

type Word = 'queued' | 'running' | 'succeeded' | 'failed' | 'ended'

const WORDS: Readonly<Record<string, Word>> = {
  queued: 'queued',
  pending: 'queued',
  submitted: 'queued',
  in_progress: 'running',
  processing: 'running',
  running: 'running',
  starting: 'running',
  completed: 'succeeded',
  succeeded: 'succeeded',
  failed: 'failed',
  error: 'failed',
  cancelled: 'ended',
  canceled: 'ended',
  expired: 'ended',
  deleted: 'ended',
}

/** Returns the meaning of a server's status value, or undefined if it is unknown. */
export function meaningOf(status: string): Word | undefined {
  return WORDS[status.toLowerCase()]
}

type Reading = {
  asset: AssetRef
  ageMs: number
  timeScale: number
}

/** Returns the state of a job. An unknown status counts as running, until the deadline. */
export function readJob(job: WireJob, { asset, ageMs, timeScale }: Reading): PollResult {
  const word = meaningOf(job.status) ?? 'running'
  switch (word) {
    case 'succeeded':
      return { state: 'succeeded', assets: [asset] }
    case 'failed':
      return {
        state: 'failed',
        fault: readJobError(job.error ?? { code: undefined }),
        evidence: evidenceOf(job),
      }
    case 'ended':
      return {
        state: 'failed',
        fault: { kind: 'permanent', reason: 'other' },
        evidence: evidenceOf(job),
      }
    case 'queued':
    case 'running': {
      const pollAfterMs = pollAfter(ageMs, timeScale)
      if (typeof job.progress !== 'number') return { state: 'pending', phase: word, pollAfterMs }
      const progress = Math.min(1, Math.max(0, job.progress / 100))
      return { state: 'pending', phase: word, progress, pollAfterMs }
    }
  }
}

function evidenceOf({ status, error }: WireJob): Evidence {
  const message = error?.message ?? `the job is ${status}`
  return error?.code === undefined ? { message } : { message, code: error.code }
}
