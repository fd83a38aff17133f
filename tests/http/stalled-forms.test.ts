import { once } from 'node:events'
import net from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { useInstallation } from '../support/shared-installation'

const product = useInstallation({ env: { THROTTLE_SCALE: '1', TRUST_PROXY: '1' } })

const FIELDS = 'username=nobody&password=secret-1'
const headersFrom = (address: string, { hostname, port }: URL) =>
  `POST /login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Forwarded-For: ${address}\r\n` +
  'Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
  `Expect: 100-continue\r\nContent-Length: ${FIELDS.length}\r\n\r\n`

/** Begins a sign-in and sends half of its form. */
async function stall(address: string): Promise<net.Socket> {
  const url = new URL(product.url)
  const socket = net.connect(Number(url.port), url.hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(headersFrom(address, url))
  await once(socket, 'data')
  socket.write(FIELDS.slice(0, 9))
  return socket
}

test('clients that stall in the middle of a form do not keep others from signing in', async () => {
  const user = await product.user()
  const addresses = Array.from({ length: 16 }, (_, i) => `203.0.${i}.7`)
  const stalled = await Promise.all([...addresses, ...addresses].map(stall))
  // Not `post`, which repeats what got a 503.
  const signedIn = await product.client().send('POST', '/api/auth/login', {
    body: JSON.stringify({ username: user.username, password: 'secret-1' }),
    headers: { 'content-type': 'application/json' },
  })
  expect(signedIn.status).toBe(200)

  const late = stalled[0]!
  const response = once(late, 'data')
  late.write(FIELDS.slice(9))
  expect(String(await response)).toMatch(/^HTTP\/1\.1 401 /)
})

test('a form that arrives in pieces is read as a whole', async () => {
  const user = await product.user()
  const url = new URL(product.url)
  const body = JSON.stringify({
    username: user.username,
    password: 'secret-1',
    pad: 'x'.repeat(200_000),
  })
  const socket = net.connect(Number(url.port), url.hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(
    `POST /api/auth/login HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\n` +
      `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  await once(socket, 'data')
  for (let from = 0; from < body.length; from += 30_000) {
    socket.write(body.slice(from, from + 30_000))
    await product.client().get('/healthz')
  }
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
})
