import { spawn } from 'node:child_process'
import { limitConcurrency } from '~/lib/limit-concurrency.server'
import { hasPreviewPackages } from '../preview-packages.server'
import { outputOf, watchChild } from './child-limits.server'
import type { LastPicture } from './port'

/** Ten seconds of video are decoded from their last key frame, which may be the first. */
const LIMITS = { processorMs: 30_000, elapsedMs: 180_000 } as const
const HEAP_MB = 128
const AT_ONCE = 1

/**
 * Creates the function that finds the last picture of a clip in a child process with limits, the program
 * `entry` (the built `jobs/last-picture`), because the bytes are untrusted. Returns null if the packages
 * that decode are not installed.
 */
export function openLastPicture(entry: string): LastPicture | null {
  if (!hasPreviewPackages()) return null
  const limit = limitConcurrency(AT_ONCE)
  return (path) => limit(() => readIn(entry, path))
}

async function readIn(entry: string, path: string): Promise<Buffer | null> {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, '--no-warnings', entry, path],
    { stdio: ['ignore', 'pipe', 'ignore'], env: { NODE_ENV: 'production' } },
  )
  const endWatch = watchChild(child, LIMITS)
  try {
    return await outputOf(child)
  } finally {
    endWatch()
  }
}
