import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import { messageOf } from '~/lib/error-facts'
import { clipInspection, type ClipInspection } from './port'

export type ClipPaths = { path: string; posterPath: string }

/**
 * A limit on processor time, not on elapsed time: a clip needs half a second, which may take
 * minutes on an overloaded machine.
 */
const MOST_PROCESSOR_MS = 20_000
const TIMEOUT_MS = 180_000
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10
const HEAP_MB = 96
/** A limit on address space would restrict V8 itself, so resident memory is watched instead. */
const MOST_RESIDENT_BYTES = 320 * 1024 * 1024
const WATCH_EVERY_MS = 100
const PAGE_BYTES = 4_096

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
      const limit = setTimeout(end, TIMEOUT_MS)
      const before = processorMs(child)
      const watch = setInterval(() => void endIfTooMuch(child, before), WATCH_EVERY_MS)
      signal.addEventListener('abort', end)
      try {
        return await ask(child, clip)
      } finally {
        clearTimeout(limit)
        clearInterval(watch)
        signal.removeEventListener('abort', end)
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

/**
 * Kills the child if it uses too much. Only Linux reports that; elsewhere only the time limit
 * applies.
 */
async function endIfTooMuch(child: ChildProcess, before: Promise<number>): Promise<void> {
  const statm = await readProc(child, 'statm')
  const residentPages = Number(statm.split(' ')[1] ?? 0)
  const isTooLarge = residentPages * PAGE_BYTES > MOST_RESIDENT_BYTES
  const usedMs = (await processorMs(child)) - (await before)
  if (isTooLarge || usedMs > MOST_PROCESSOR_MS) child.kill('SIGKILL')
}

/** Returns the processor time that all threads of the child have used so far. */
async function processorMs(child: ChildProcess): Promise<number> {
  const stat = await readProc(child, 'stat')
  // The name is in brackets and may contain any character. User and system time are the 12th and
  // 13th fields after it.
  const behindName = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(behindName[11] ?? 0) + Number(behindName[12] ?? 0)) * TICK_MS
}

const readProc = (child: ChildProcess, file: string): Promise<string> =>
  fs.readFile(`/proc/${child.pid}/${file}`, 'utf8').catch(() => '')
