import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startInstallation, type Installation } from '../support/installation'
import { until } from '../support/wait'

let product: Installation
beforeEach(async () => {
  product = await startInstallation({ env: { DRAIN_SECONDS: '3' } })
})
afterEach(() => product.remove())

/** Sends one request on a kept-alive connection, as a proxy does. */
function ask(agent: http.Agent, path: string) {
  return new Promise<{ status: number; connection: string | undefined; body: string }>(
    (resolve, reject) => {
      http
        .get(new URL(path, product.url), { agent }, (response) => {
          let body = ''
          response.on('data', (chunk: Buffer) => (body += chunk.toString()))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              connection: response.headers.connection,
              body,
            }),
          )
        })
        .on('error', reject)
    },
  )
}

test('a web server that is stopped first reports it in /readyz, and serves requests until load balancers have noticed', async () => {
  const kept = new http.Agent({ keepAlive: true, maxSockets: 1 })
  expect(await ask(kept, '/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' })

  product.web.child.kill('SIGTERM')
  await until('503 from /readyz', async () => (await ask(kept, '/readyz')).status === 503)
  // New connections are accepted with "Connection: close", so that none is cut off at the end.
  const fresh = new http.Agent({ keepAlive: true })
  expect(await ask(fresh, '/readyz')).toEqual({
    status: 503,
    connection: 'close',
    body: JSON.stringify({ status: 'not ready', reason: 'the process is about to stop' }),
  })
  expect(await ask(fresh, '/login')).toMatchObject({ status: 200, connection: 'close' })
  expect(await product.web.ended).toBe(0)
})

test('a connection that was made before the listener closed is served, even if its request arrives later', async () => {
  const { hostname, port } = new URL(product.url)
  const early = net.connect(Number(port), hostname)
  await once(early, 'connect')
  const closed = once(early, 'close')
  product.web.child.kill('SIGTERM')
  await until('the listener to close', async () => {
    const late = net.connect(Number(port), hostname)
    return once(late, 'connect').then(
      () => void late.destroy(),
      () => true,
    )
  })
  let response = ''
  early.on('data', (bytes: Buffer) => (response += bytes.toString()))
  early.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
  await closed
  expect(response).toMatch(/^HTTP\/1\.1 200 /)
  expect(response).toContain('Connection: close')
  expect(await product.web.ended).toBe(0)
})

test('after SIGINT, as from a terminal, the web server stops without waiting', async () => {
  product.web.child.kill('SIGINT')
  expect(await product.web.ended).toBe(0)
  await expect(fetch(`${product.url}/healthz`)).rejects.toThrow()
})
