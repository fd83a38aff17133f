import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { messageOf } from '~/lib/error-facts'
import { watchChild } from './child-limits.server'
import { clipInspection, type ClipInspection } from './port'

export type ClipPaths = { path: string; posterPath: string }

/** A clip needs half a second. */
const LIMITS = { processorMs: 20_000, elapsedMs: 180_000 } as const
const HEAP_MB = 96

/** A child process that examines clips, one at a time. */
export type Examiner = {
  /** Returns the number of clips it has received. */
  given: () => number
  isAlive: () => boolean
  /**
   * Examines a clip. If the child dies, the clip is rejected. The child is killed when `signal`
   * aborts.
   */
  examine: (clip: ClipPaths, signal: AbortSignal) => Promise<ClipInspection>
  end: () => void
}

/** Starts the program `entry`, the built `jobs/inspect-clip`. Does not keep this process alive. */
export function startExaminer(entry: string): Examiner {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, '--no-warnings', entry],
    { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: { NODE_ENV: 'production' } },
  )
  // A running examination receives the error. Between two clips, the exit is noticed before the
  // next.
  child.on('error', () => undefined)
  child.unref()
  child.channel?.unref()
  const end = () => void child.kill('SIGKILL')
  let clips = 0
  return {
    given: () => clips,
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    end,
    examine: async (clip, signal) => {
      clips += 1
      const endWatch = watchChild(child, LIMITS, signal)
      try {
        return await ask(child, clip)
      } finally {
        endWatch()
      }
    },
  }
}

async function ask(child: ChildProcess, clip: ClipPaths): Promise<ClipInspection> {
  const heard = new AbortController()
  const { signal } = heard
  const answered = once(child, 'message', { signal }).then(([message]): ClipInspection => {
    const report = clipInspection.safeParse(message)
    return report.success ? report.data : unreadable('no sense in its report')
  })
  const died = once(child, 'exit', { signal }).then(([code, killedBy]) =>
    unreadable(killedBy === null ? `exit code ${code}` : String(killedBy)),
  )
  // A failed send needs no handling: the process has ended, and its exit is reported.
  child.send(clip, () => undefined)
  try {
    return await Promise.race([answered, died])
  } catch (error) {
    return unreadable(messageOf(error))
  } finally {
    heard.abort()
  }
}

const unreadable = (how: string): ClipInspection => ({
  ok: false,
  reason: `it could not be read (${how})`,
})
