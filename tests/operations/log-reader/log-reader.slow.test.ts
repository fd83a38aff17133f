import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { until } from '../../support/wait'

const SUPERVISOR = path.join(import.meta.dirname, 'supervisor.ts')

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** 60 MB are logged; the rest is the loader. */
const MOST_MB = 50

const printed = z.object({
  pid: z.number().int().positive(),
  message: z.object({ heapMb: z.number() }),
})

test('a process whose log reader does not read keeps its size, and ends when the reader exits', async () => {
  const args = ['--import', 'tsx', SUPERVISOR]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { pid, message } = printed.parse(JSON.parse(stdout))
  try {
    expect(message.heapMb).toBeLessThan(MOST_MB)
    await until('the writer to end', () => !isRunning(pid))
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  }
})
