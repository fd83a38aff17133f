import { spawn } from 'node:child_process'
import { limitConcurrency } from '~/lib/limit-concurrency.server'
import { minutes, seconds } from '~/lib/time'
import { outputOf, watchChild } from '../media/child-limits.server'
import { workbookReport, type ReadWorkbook, type WorkbookReport } from './port'

/**
 * Processor time: on an overloaded machine a good workbook takes longer. One of the most bytes needs two
 * seconds.
 */
const LIMITS = {
  processorMs: seconds(15),
  elapsedMs: minutes(2),
  residentBytes: 448 * 1024 * 1024,
} as const
const HEAP_MB = 256
const AT_ONCE = 1

/** Where a row number alone can fill the memory, only the child's memory is filled. */
const TOO_LARGE: WorkbookReport = { problem: 'large' }

/**
 * Returns a function that reads workbooks in child processes with limits, the program `entry` (the built
 * `jobs/read-workbook`).
 */
export function openWorkbookReader(entry: string): ReadWorkbook {
  const inTurn = limitConcurrency(AT_ONCE)
  return (bytes) => inTurn(() => readIn(entry, bytes))
}

async function readIn(entry: string, bytes: Uint8Array): Promise<WorkbookReport> {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, '--no-warnings', entry],
    { stdio: ['pipe', 'pipe', 'ignore'], env: { NODE_ENV: 'production' } },
  )
  const endWatch = watchChild(child, LIMITS)
  // A child that ends early does not read everything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(bytes)
  const output = await outputOf(child).finally(endWatch)
  return output === null ? TOO_LARGE : workbookReport.parse(JSON.parse(output.toString()))
}
