import net from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { isDatabaseUnavailable } from '../../app/platform/db/unavailable'
import { createPool, createQueuePool } from '../../app/platform/db/postgres.server'
import { createTestDatabase } from '../support/database'

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
  'F7: %s never gets a connection again on which a statement was not answered',
  async (_, create) => {
    const database = await createTestDatabase()
    const pool = create(config(database.url))
    const client = await pool.connect()
    // From here on only the driver's clock ends a statement, as where the server stands still.
    await client.query('set statement_timeout = 0')
    await expect(client.query('select pg_sleep(600)')).rejects.toThrow('Query read timeout')
    // The caller knows of nothing and gives it back, as graphile-worker does.
    client.release()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
    await database.drop()
  },
)

/** A server that is starting up and says so to everybody who connects. */
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

test('F5: a database that is starting up ends a runner of jobs, which starts again, and does not make it pause for minutes', async () => {
  const server = await startStartingUp()
  const pool = createQueuePool(config(server.url))
  const error = await pool.connect().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ message: 'the database system is starting up' })
  // graphile-worker pauses by the code.
  expect(error).not.toHaveProperty('code')
  expect(isDatabaseUnavailable(error)).toBe(true)
  await pool.end()
  await server.stop()
})
