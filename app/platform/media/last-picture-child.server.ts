import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { limitConcurrency } from '~/lib/limit-concurrency.server'
import { watchChild } from './child-limits.server'
import type { LastPicture } from './port'

/** Ten seconds of video are decoded from their last key frame, which may be the first. */
const LIMITS = { processorMs: 30_000, elapsedMs: 60_000 } as const
const HEAP_MB = 128
const AT_ONCE = 1

/**
 * Creates the function that finds the last picture of a clip in a child process with limits, the program
 * `entry` (the built `jobs/last-picture`), because the bytes are untrusted. Returns null if the packages
 * that decode are not installed.
 */
export function openLastPicture(entry: string): LastPicture | null {
  const { resolve } = createRequire(import.meta.url)
  try {
    resolve('@napi-rs/canvas')
    resolve('@napi-rs/webcodecs')
  } catch {
    return null
  }
  const limit = limitConcurrency(AT_ONCE)
  return (path) => limit(() => readIn(entry, path))
}

async function readIn(entry: string, path: string): Promise<Buffer | null> {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, '--no-warnings', entry, path],
    { stdio: ['ignore', 'pipe', 'ignore'], env: { NODE_ENV: 'production' } },
  )
  const endWatch = watchChild(child, LIMITS, new AbortController().signal)
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  try {
    const [jpeg, code] = await Promise.all([buffer(child.stdout), ended])
    return code === 0 && jpeg.length > 0 ? jpeg : null
  } finally {
    endWatch()
  }
}
