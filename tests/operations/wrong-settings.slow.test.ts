import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startWeb, startWorker, testEnv } from '../support/processes'
import { command } from '../support/script'

const wrong = (change: (url: URL) => void) => {
  const url = new URL(process.env.TEST_CLUSTER_URL!)
  change(url)
  return url.href
}

test.each([
  ['password', wrong((url) => (url.password = 'wrong')), /Check user and password/],
  ['name', wrong((url) => (url.pathname = 'none')), /Create it, or correct its name/],
  ['host', wrong((url) => (url.hostname = 'none.invalid')), /Check the host/],
  ['port', wrong((url) => (url.port = '1')), /Check that PostgreSQL runs there/],
])('a wrong %s: commands end in one line that says what to do', async (_what, url, remedy) => {
  for (const [script, ...args] of [['migrate'], ['grants', 'nobody'], ['reseal']] as const) {
    const { code, output } = await command(script, url, {}, ...args)
    expect(code).toBe(1)
    expect(output).toMatch(/^The database cannot be used: .+\n$/)
    expect(output).toMatch(remedy)
  }
})

test('a wrong password: a worker ends with that line, and /readyz of a web server reports it', async () => {
  const env = testEnv(
    wrong((url) => (url.password = 'wrong')),
    os.tmpdir(),
  )
  const problem =
    /The database cannot be used: password authentication failed .* Check user and password in DATABASE_URL\./
  const worker = await startWorker(env)
  expect(await worker.ended).toBe(1)
  expect(worker.output()).toMatch(problem)
  expect(worker.output()).not.toContain('stack')
  const web = await startWeb(env)
  expect(await (await fetch(`${web.url}/readyz`)).text()).toMatch(problem)
  await web.stop()
})

test('a folder that nothing can be written to: a worker ends in one line that says what to do', async () => {
  const below = path.resolve('package.json/below')
  const worker = await startWorker(testEnv(process.env.TEST_CLUSTER_URL!, below))
  expect(await worker.ended).toBe(1)
  expect(worker.output()).toBe(
    `The worker cannot run: Nothing can be written to ${below} (ENOTDIR). Set DATA_DIR to a folder that this user can write to.\n`,
  )
})
