import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10
/** A limit on address space would restrict V8 itself, so resident memory is watched instead. */
const MOST_RESIDENT_BYTES = 320 * 1024 * 1024
const WATCH_EVERY_MS = 100
const PAGE_BYTES = 4_096

export type ChildLimits = {
  /**
   * Processor time, not elapsed time: work of half a second may take minutes on an overloaded
   * machine.
   */
  processorMs: number
  elapsedMs: number
  /** By default 320 MB. */
  residentBytes?: number
}

/**
 * Kills a child process that reads untrusted bytes if it uses more than its limits from now on, or
 * when `signal` aborts, if there is one. Only Linux reports processor time and memory; elsewhere only the elapsed
 * time is limited. Returns a function that ends the watch.
 */
export function watchChild(
  child: ChildProcess,
  limits: ChildLimits,
  signal: AbortSignal | null = null,
): () => void {
  const end = () => void child.kill('SIGKILL')
  const limit = setTimeout(end, limits.elapsedMs)
  const before = processorMs(child)
  const watch = setInterval(() => void endIfTooMuch(child, { before, limits }), WATCH_EVERY_MS)
  signal?.addEventListener('abort', end)
  return () => {
    clearTimeout(limit)
    clearInterval(watch)
    signal?.removeEventListener('abort', end)
  }
}

type Use = { before: Promise<number>; limits: ChildLimits }

async function endIfTooMuch(child: ChildProcess, { before, limits }: Use): Promise<void> {
  const { processorMs: most, residentBytes = MOST_RESIDENT_BYTES } = limits
  const statm = await readProc(child, 'statm')
  const residentPages = Number(statm.split(' ')[1] ?? 0)
  const isTooLarge = residentPages * PAGE_BYTES > residentBytes
  const usedMs = (await processorMs(child)) - (await before)
  if (isTooLarge || usedMs > most) child.kill('SIGKILL')
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

/** Returns all that a child process writes. Null if it fails or writes nothing. */
export async function outputOf(child: ChildProcess & { stdout: Readable }): Promise<Buffer | null> {
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  const [output, code] = await Promise.all([buffer(child.stdout), ended])
  return code === 0 && output.length > 0 ? output : null
}
