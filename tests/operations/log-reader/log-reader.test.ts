import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { until } from '../../support/wait'

const SUPERVISOR = path.join(import.meta.dirname, 'supervisor.ts')

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a process whose log reader stopped reading and then exited ends as well', async () => {
  const args = ['--import', 'tsx', SUPERVISOR]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const pid = Number(stdout)
  expect(pid).toBeGreaterThan(0)
  try {
    await until('the writer to end', () => !isRunning(pid))
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  }
})
