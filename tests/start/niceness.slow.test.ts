import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const SCRIPT = `const { getPriority, setPriority } = require('node:os')
setPriority(19)
import('./app/lib/lower-priority.server.ts').then(({ lowerPriority }) => {
  lowerPriority()
  console.log(getPriority())
})`

test('a process that was started with a lower priority keeps it: only root could raise it', async () => {
  const args = ['--import', 'tsx', '-e', SCRIPT]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe('19\n')
})
