import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const LIMIT_MS = 3_000

test('bytes that the storage sent while the process was stopped are read after the limit', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', READER], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.write('first,')
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  child.stdin.end('last')
  await new Promise((resolve) => setTimeout(resolve, LIMIT_MS + 1_000))
  child.kill('SIGCONT')
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  expect(output).toBe('last')
})

/** A program that prints what it reads, or the error that ended the read. */
const READER = `
  import { withIdleLimit } from './app/platform/storage/limits.ts'
  try {
    const pieces = withIdleLimit(process.stdin, ${LIMIT_MS}, (error) => error)
    for await (const piece of pieces) process.stdout.write(piece)
  } catch (error) {
    process.stdout.write(error.message)
  }`
