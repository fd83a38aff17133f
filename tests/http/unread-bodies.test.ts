import http from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'

// A response that is sent before the body was read must not break the connection. Otherwise the
// next request on it, behind a proxy another user's, would wait until the server closes the
// connection.

const product = useInstallation()
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
let user: TestUser

beforeAll(async () => {
  user = await product.user({ plan: 'Enterprise' })
})
afterAll(() => agent.destroy())

type Sent = { path: string; body: string; type: string }
type Answer = { status: number; port: number | undefined }

/**
 * Sends a request on the only connection. Returns the response's status and the connection's port.
 */
function ask(cookie: string, sent?: Sent): Promise<Answer> {
  const { hostname, port } = new URL(product.url)
  const headers = {
    cookie,
    'sec-fetch-site': 'same-origin',
    ...(sent && { 'content-type': sent.type, 'content-length': Buffer.byteLength(sent.body) }),
  }
  return new Promise((resolve, reject) => {
    const method = sent ? 'POST' : 'GET'
    const request = http.request({
      hostname,
      port,
      agent,
      method,
      headers,
      path: sent?.path ?? '/',
    })
    request.on('response', (response) => {
      const connection = request.socket?.localPort
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, port: connection }))
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(sent?.body)
  })
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const PARTS_TYPE = 'multipart/form-data; boundary=x'
const LONG = 'x'.repeat(700_000)

describe('a connection remains usable after a body that was not read', () => {
  const cases: [string, string, Sent][] = [
    [
      'a call that needs no body',
      'stranger',
      { path: '/api/auth/logout', body: LONG, type: JSON_TYPE },
    ],
    ['an unsupported method', 'stranger', { path: '/pricing', body: LONG, type: FORM_TYPE }],
    [
      'a call without a session',
      'stranger',
      { path: '/api/videos/generate', body: LONG, type: JSON_TYPE },
    ],
    ['a page without a session', 'stranger', { path: '/usage', body: LONG, type: FORM_TYPE }],
    ['JSON for a page', 'user', { path: '/app', body: LONG, type: JSON_TYPE }],
    ['an administrator’s call', 'user', { path: '/api/admin/users', body: LONG, type: JSON_TYPE }],
    ['an unknown call', 'user', { path: '/api/nothing', body: LONG, type: JSON_TYPE }],
    ['an unknown page', 'user', { path: '/nothing', body: LONG, type: FORM_TYPE }],
    ['sign-out', 'stranger', { path: '/logout', body: LONG, type: FORM_TYPE }],
    ['too many fields', 'user', { path: '/app', body: 'a=&'.repeat(200_000), type: FORM_TYPE }],
    ['no boundary', 'user', { path: '/app', body: LONG, type: PARTS_TYPE }],
    ['parts that end early', 'user', { path: '/app', body: `--x--\r\n${LONG}`, type: PARTS_TYPE }],
    ['a broken part', 'user', { path: '/app', body: `--x\r\na\r\n\r\n${LONG}`, type: PARTS_TYPE }],
    ['a body over the limit', 'user', { path: '/app', body: LONG + LONG, type: FORM_TYPE }],
  ]
  test.each(cases)('%s', async (_name, who, sent) => {
    const cookie = who === 'user' ? user.cookieHeader : ''
    const refused = await ask(cookie, sent)
    const next = await ask(cookie)
    expect(next).toEqual({ status: 200, port: refused.port })
  })
})
