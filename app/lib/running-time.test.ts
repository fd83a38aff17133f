import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningTimeout, startRunningTimer } from './running-time'

/** Responses that have not been sent yet. */
const waiting: http.ServerResponse[] = []
const server = http.createServer((_request, response) => waiting.push(response))
let address: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  address = `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`
})
afterAll(() => server.close())

const LIMIT_MS = 3_000

/** Starts a process that makes one call and prints its outcome. */
const caller = () =>
  spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', CALL], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ADDRESS: address },
  })
const CALL = `
  import { runningTimeout } from './app/lib/running-time.ts'
  const signal = runningTimeout(${LIMIT_MS})
  const end = await fetch(process.env.ADDRESS, { signal }).then((answer) => answer.text(), (error) => error.name)
  process.stdout.write(end)`

test('a response that arrived while the process was stopped is read after the limit', async () => {
  const child = caller()
  await once(server, 'request')
  child.kill('SIGSTOP')
  waiting.pop()?.end('here')
  await new Promise((resolve) => setTimeout(resolve, LIMIT_MS + 1_000))
  child.kill('SIGCONT')
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  expect(output).toBe('here')
})

test('a call that gets no response is aborted', async () => {
  const call = fetch(address, { signal: runningTimeout(120) })
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('a restarted timer fires, a stopped timer does not', async () => {
  const ended: string[] = []
  const stopped = startRunningTimer(600, () => ended.push('stopped'))
  stopped.stop()
  await new Promise<void>((resolve) => {
    const restarted = startRunningTimer(600, () => {
      ended.push('restarted')
      resolve()
    })
    restarted.restart()
  })
  expect(ended).toEqual(['restarted'])
})
