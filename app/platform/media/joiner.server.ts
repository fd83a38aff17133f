import { spawn, type ChildProcess } from 'node:child_process'
import { watchChild } from './child-limits.server'
import { joinReport, type ClipJoin, type JoinClips, type JoinInput } from './port'

/** The bytes of 50 clips are copied, and their indexes read twice. */
const LIMITS = { processorMs: 180_000, elapsedMs: 1_200_000 } as const
const HEAP_MB = 128

/**
 * Returns a function that joins clips in a child process with limits, the program `entry` (the built
 * `jobs/join-clips`), because the bytes are untrusted. Each call has a process of its own.
 */
export function openJoiner(entry: string): JoinClips {
  return async (input) => {
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${HEAP_MB}`, '--no-warnings', entry],
      { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: { NODE_ENV: 'production' } },
    )
    const endWatch = watchChild(child, LIMITS)
    try {
      return await listen(child, input)
    } finally {
      endWatch()
      child.kill('SIGKILL')
    }
  }
}

function listen(child: ChildProcess, { paths, target, onCopied }: JoinInput): Promise<ClipJoin> {
  return new Promise((resolve) => {
    const fail = (reason: string) => resolve({ kind: 'unreadable', reason })
    child.once('error', ({ message }) => fail(message))
    child.once('exit', (code, killedBy) => fail(killedBy ?? `exit code ${code}`))
    child.on('message', (message) => {
      const report = joinReport.safeParse(message)
      if (!report.success) fail('no sense in its report')
      else if (report.data.kind === 'copied') onCopied(report.data.clips)
      else resolve(report.data)
    })
    // A failed send needs no handling: the process has ended, and its exit is reported.
    child.send({ paths, target }, () => undefined)
  })
}
