import { EventEmitter } from 'node:events'
import net from 'node:net'
import { run, type WorkerEvents } from 'graphile-worker'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { isDatabaseUnavailable } from '../../../app/platform/db/unavailable'
import { createPool, createQueuePool } from '../../../app/platform/db/postgres.server'
import { graphileLogger } from '../../../jobs/graphile-log'
import { hearDuringPauses } from '../../../jobs/runner'
import { createTestDatabase } from '../../support/database'
import { startProxy } from '../../support/proxy'
import { until } from '../../support/wait'

const config = (url: string) => ({
  url,
  poolSize: 1,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 100,
  log: pino({ level: 'silent' }),
})

test.each([
  ['the product', createPool],
  ['the queue', createQueuePool],
])(
  'F7: %s never reuses a connection on which a statement has received no response',
  async (_, create) => {
    const database = await createTestDatabase()
    const pool = create(config(database.url))
    const client = await pool.connect()
    // From here on only the driver's timeout ends a statement, as when the server is frozen.
    await client.query('set statement_timeout = 0')
    await expect(client.query('select pg_sleep(600)')).rejects.toThrow('Query read timeout')
    // The caller does not know about the timeout and releases the client, as graphile-worker does.
    client.release()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
    await database.drop()
  },
)

/** Starts a server that reports to every client that it is still starting up. */
async function startStartingUp(): Promise<{ url: string; stop: () => Promise<void> }> {
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up']
  const body = Buffer.from(fields.map((field) => `${field}\0`).join('') + '\0')
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(4 + body.length, 1)
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([head, body])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `postgres://nobody@127.0.0.1:${address.port}/none`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

test('F5: a runner ends while the database is starting up, and starts again without a pause of minutes', async () => {
  const server = await startStartingUp()
  const pool = createQueuePool(config(server.url))
  const error = await pool.connect().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ message: 'the database system is starting up' })
  // graphile-worker decides by the error code whether to pause.
  expect(error).not.toHaveProperty('code')
  expect(isDatabaseUnavailable(error)).toBe(true)
  await pool.end()
  await server.stop()
})

test('F5: the database is lost while a runner that has just started stops: the process does not end', async () => {
  const database = await createTestDatabase()
  const proxy = await startProxy(database.url)
  const pool = createQueuePool({
    ...config(proxy.through(database.url)),
    poolSize: 4,
    statementTimeoutMs: 60_000,
  })
  const events: WorkerEvents = new EventEmitter()
  let releases = 0
  events.on('pool:listen:release', () => releases++)
  // The statement with which the runner begins to listen gets no response.
  const listening = new Promise<void>((resolve) =>
    events.once('pool:listen:success', () => {
      proxy.hang()
      resolve()
    }),
  )
  const runner = await run({
    pgPool: pool,
    taskList: { rest: () => undefined },
    events,
    noHandleSignals: true,
    logger: graphileLogger(pino({ level: 'silent' }), () => undefined),
    preset: { worker: { concurrentJobs: 1 } },
  })
  const ended = runner.promise.catch(() => undefined)
  await listening
  const stopped = runner.stop().catch(() => undefined)
  await until('the connection to be released by the stop', () => releases === 1)
  await proxy.refuse()
  // graphile-worker releases it again for the statement that failed.
  await until('the connection to be released again', () => releases === 2)
  await proxy.open()
  await Promise.all([stopped, ended])
  expect(await pool.query('select 1 as one')).toMatchObject({ rows: [{ one: 1 }] })
  // Without a local queue graphile-worker also prints the error with which it stopped.
  vi.mocked(console.error).mockClear()
  await pool.end()
  await proxy.stop()
  await database.drop()
})

test('W-JOB-2: a runner that pauses because it found no job hears of a job that is added meanwhile', async () => {
  const database = await createTestDatabase()
  const pool = createQueuePool({
    ...config(database.url),
    poolSize: 4,
    statementTimeoutMs: 60_000,
  })
  const add = (name: string) => pool.query('select graphile_worker.add_job($1)', [name])
  const events: WorkerEvents = new EventEmitter()
  hearDuringPauses(events)
  const listening = new Promise<void>((resolve) =>
    events.once('pool:listen:success', () => resolve()),
  )
  let runs = 0
  const ours = () => {
    runs++
  }
  const runner = await run({
    pgPool: pool,
    taskList: { ours },
    events,
    noHandleSignals: true,
    logger: graphileLogger(pino({ level: 'silent' }), () => undefined),
    preset: {
      worker: {
        concurrentJobs: 1,
        // It does not find the job by looking from time to time.
        pollInterval: 600_000,
        localQueue: { size: 1, refetchDelay: { durationMs: 200, maxAbortThreshold: Infinity } },
      },
    },
  })
  await listening
  events.once('localQueue:refetchDelay:start', () => void add('ours'))
  await add('of another runner')
  await until('the job to run', () => runs === 1, 30_000)
  await runner.stop()
  await pool.end()
  await database.drop()
})
