import { once } from 'node:events'
import fs from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Client } from '../support/client'
import { createTestDatabase } from '../support/database'
import { startWeb, testEnv } from '../support/processes'
import { startProxy } from '../support/proxy'
import { until } from '../support/wait'

const REQUESTS = 60
/** What the log writes of one error before it counts; several kinds of errors may occur. */
const MOST_LINES = 20

const lineSchema = z.object({ msg: z.string(), err: z.unknown(), status: z.number().optional() })
const linesOf = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => lineSchema.parse(JSON.parse(line)))

test('while the database is unavailable, the log has a line per request, and the error only a few times', async () => {
  const database = await createTestDatabase()
  const proxy = await startProxy(database.url)
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-data-'))
  const web = await startWeb({ ...testEnv(proxy.through(database.url), dataDir) })
  const user = new Client(web.url)
  await user.post('/api/auth/register', { phone: '03001234567', password: 'secret-1' })

  await proxy.refuse()
  const paths = ['/api/videos/changes', '/api/auth/me', '/app']
  for (let i = 0; i < REQUESTS; i++)
    expect((await user.send('GET', paths[i % paths.length]!)).status).toBe(503)

  const requests = () => linesOf(web.output()).filter(({ status }) => status === 503)
  await until('a line of each request', () => requests().length === REQUESTS)
  expect(linesOf(web.output()).filter(({ err }) => err !== undefined).length).toBeLessThan(
    MOST_LINES,
  )

  await proxy.open()
  await web.stop()
  await proxy.stop()
  await database.drop()
  await fs.rm(dataDir, { recursive: true, force: true })
})

test('a client that disconnects while it sends a body is not an outage', async () => {
  const database = await createTestDatabase()
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-data-'))
  const web = await startWeb({ ...testEnv(database.url, dataDir), LOG_LEVEL: 'info' })
  const { hostname, port } = new URL(web.url)
  const socket = net.connect(Number(port), hostname)
  socket.write(
    `POST /api/auth/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\n` +
      'Sec-Fetch-Site: same-origin\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n',
  )
  // The server asks for the body as soon as it reads it.
  await once(socket, 'data')
  socket.write('{"username":')
  socket.destroy()
  const ended = () => linesOf(web.output()).filter(({ msg }) => msg === 'request')
  await until('the line of the request', () => ended().length === 1)
  expect(linesOf(web.output()).filter(({ err }) => err !== undefined)).toEqual([])

  await web.stop()
  await database.drop()
  await fs.rm(dataDir, { recursive: true, force: true })
})
