import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../scripts/lib/postgres.mjs'
import { asOwner } from '../support/cluster'
import { createTestDatabase } from '../support/database'
import { bareEnv, startWeb, startWorker, testEnv } from '../support/processes'
import { until } from '../support/wait'

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((file) => {
  try {
    execFileSync(file, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})
if (!PROGRAM)
  process.stdout.write('Skipped: no PgBouncer on this machine (apt install pgbouncer).\n')

const SENTENCE = 'DATABASE_URL leads through a pooler that shares sessions between connections'

let home: string
let database: Awaited<ReturnType<typeof createTestDatabase>>
let pooler: ChildProcess | undefined
beforeAll(async () => {
  home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-pooler-'))
  await fs.chmod(home, 0o755)
  database = await createTestDatabase()
})
afterEach(async () => {
  const ended = new Promise((resolve) => pooler?.once('exit', resolve) ?? resolve(undefined))
  pooler?.kill('SIGKILL')
  await ended
  pooler = undefined
})
afterAll(async () => {
  await database.drop()
  await fs.rm(home, { recursive: true, force: true })
})

/** Starts a PgBouncer in front of the test's database and returns its address. */
async function throughPooler(mode: 'session' | 'transaction'): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(database.url)
  const listen = await freePort()
  const file = path.join(home, `${mode}.ini`)
  await fs.writeFile(
    file,
    `[databases]
reel = host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 60
max_client_conn = 200
`,
  )
  // PgBouncer refuses to run as root.
  const ids = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  pooler = spawn(PROGRAM!, [file], { ...ids, stdio: 'ignore' })
  const url = `postgresql://anybody:x@127.0.0.1:${listen}/reel`
  await until('the pooler', () => asOwner(url, (client) => client.query('select 1')), 20_000)
  return url
}

const migrate = (url: string) =>
  new Promise<string>((resolve) => {
    const env = { ...bareEnv(), ...testEnv(url, home) }
    execFile(process.execPath, ['scripts/migrate.mjs'], { env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })

test.runIf(PROGRAM)('PgBouncer in session mode: migrations, web and worker work', async () => {
  const url = await throughPooler('session')
  expect(await migrate(url)).toMatch(/^$|First administrator/)
  const env = testEnv(url, home)
  const [web, worker] = [await startWeb(env), await startWorker(env)]
  const ready = await fetch(`${web.url}/readyz`)
  expect(await ready.json()).toEqual({ status: 'ready' })
  await until('a heartbeat', () =>
    asOwner(database.url, async (client) => {
      const { rowCount } = await client.query('select 1 from worker_processes')
      return (rowCount ?? 0) > 0
    }),
  )
  await Promise.all([web.stop(), worker.stop()])
})

test.runIf(PROGRAM)('PgBouncer in transaction mode is refused with a message', async () => {
  const url = await throughPooler('transaction')
  expect(await migrate(url)).toContain(SENTENCE)
  const env = testEnv(url, home)
  const worker = await startWorker(env)
  expect(await worker.ended).toBe(1)
  expect(worker.output()).toContain(`The worker cannot run: ${SENTENCE}`)
  const web = await startWeb(env)
  const ready = await fetch(`${web.url}/readyz`)
  expect(ready.status).toBe(503)
  expect(await ready.text()).toContain(SENTENCE)
  await web.stop()
})
