import net from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { findViolations } from '../support/invariants'
import { submitForm } from '../support/page'

const product = useInstallation()
let user: TestUser

beforeAll(async () => {
  user = await product.user({ video_limit: 1000 })
})
afterEach(async () => {
  expect(await findViolations(product.db)).toEqual({})
  const { rows } = await product.db.query('select count(*)::int as count from videos')
  expect(rows).toEqual([{ count: 0 }])
  expect(product.web.output()).not.toContain('call failed')
})

type Failure = { error: string; code: string }
const NOBODYS = '00000000-0000-4000-8000-000000000000'
const deep = (open: string, close: string, n = 100_000) => open.repeat(n) + close.repeat(n)

/** Expects a refusal with a readable message that names no type, column or file. */
function expectRefusal(status: number, body: Failure): void {
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(body.code).toMatch(/^[A-Z_]+$/)
  expect(body.error).toMatch(/^.{5,200}$/)
  expect(body.error).not.toMatch(/\b(Expected|Invalid input|Required|undefined|null|videos\.)\b/)
}

const BODIES: Record<string, string> = {
  null: 'null',
  'a number': '7',
  'a text': '"prompt"',
  'a list': '[{"prompt":"a"}]',
  'an incomplete object': '{"prompt":',
  'lists nested 100,000 deep': deep('[', ']'),
  'objects nested 100,000 deep': deep('{"a":', '}', 100_000).replace(/:}/, ':1}'),
  'a prompt that is a list': '{"prompt":["a"],"prompts":[["a"]]}',
  'a prompt that is an object': '{"prompt":{"toString":"x"},"prompts":[{"length":1}]}',
  'NUL in the text': '{"prompt":"a\\u0000b","prompts":["a\\u0000b"]}',
  'a lone surrogate': '{"prompt":"\\ud800","prompts":["\\udc00a"]}',
  'a list of 100,000 texts': `{"prompts":[${'"a",'.repeat(99_999)}"a"]}`,
  'a million blanks': `{"prompt":"${' '.repeat(1_000_000)}","prompts":["${' '.repeat(10)}"]}`,
  'a prototype': '{"__proto__":{"prompt":"a","prompts":["a"]},"constructor":{}}',
  'numbers out of range': '{"prompt":1e999,"prompts":1e999,"aspectRatio":-0}',
  'a control character': '{"prompt":"a\u0001"}',
}

describe('bodies', () => {
  const calls = [
    '/api/videos/generate',
    '/api/videos/bulk-generate',
    `/resources/videos/${NOBODYS}/edit`,
    '/api/auth/user/change-password',
  ]
  test.each(Object.entries(BODIES))('%s is refused with a message', async (_name, body) => {
    for (const path of calls) {
      const headers = { 'content-type': 'application/json' }
      const response = await user.send('POST', path, { body, headers })
      expectRefusal(response.status, (await response.json()) as Failure)
    }
  })

  test('invalid idempotency keys and bytes that are not text are refused with a message', async () => {
    for (const key of ['x'.repeat(201), 'two words', 'ü']) {
      const refused = await user.post<Failure>(
        '/api/videos/generate',
        { prompt: 'a' },
        { 'idempotency-key': key },
      )
      expectRefusal(refused.status, refused.body)
    }
    const response = await user.send('POST', '/api/videos/generate', {
      body: Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]),
      headers: { 'content-type': 'application/json' },
    })
    expectRefusal(response.status, (await response.json()) as Failure)
  })
})

describe('addresses', () => {
  const LONG = 'x'.repeat(5000)
  test.each([
    '/api/videos?page=0',
    '/api/videos?page=-1',
    '/api/videos?page=1.5',
    '/api/videos?page=99999999999999999999',
    '/api/videos?page[]=1&page[]=2',
    '/api/videos?limit[a]=1',
    '/api/videos?status=gone',
    '/api/videos?aspectRatio=square',
    '/api/videos?search=%00',
    `/api/videos?search=${LONG}`,
    '/api/videos?search[]=a&search[]=b',
    '/api/videos/changes?since=-1',
    '/api/videos/changes?since=1e99',
    '/api/videos/changes?since[]=1',
    '/api/videos/archive?search=%00',
    `/api/videos/archive?ids=${LONG}`,
    '/api/videos/archive?status=gone',
    '/api/videos/archive?aspectRatio=square',
    '/api/videos/%00/status',
    '/api/videos/%E0%A4%A/status',
    `/api/videos/${LONG}/status`,
    `/api/videos/${NOBODYS}/download`,
    '/media/%00.mp4',
    '/media/%E0%A4%A.mp4',
  ])('GET %s is refused with a message', async (path) => {
    const { status, body } = await user.get<Failure>(path)
    expectRefusal(status, body)
  })

  test.each([
    ['DELETE', '/api/videos/delete-by-status'],
    ['DELETE', '/api/videos/delete-by-status?status='],
    ['DELETE', '/api/videos/delete-by-status?status=all&aspectRatio=square'],
    ['DELETE', '/api/videos/%00'],
    ['DELETE', `/api/videos/${LONG}`],
    ['POST', `/api/videos/${NOBODYS}/retry`],
    ['POST', '/api/videos/%F0%28%8C%28/regenerate'],
    ['POST', `/api/batches/${NOBODYS}/cancel`],
    ['POST', '/api/batches/%00/cancel'],
    ['POST', '/api/prompts/x/copy'],
  ])('%s %s is refused with a message', async (method, path) => {
    const { status, body } = await user.call<Failure>(method, path)
    expectRefusal(status, body)
  })

  test('pages accept any address, and a form of 10,000 ids deletes nothing', async () => {
    for (const path of [
      '/dashboard?page=-1&status=gone&aspectRatio=square&search=%00&limit=7',
      '/dashboard?dialog=preview&on=%00',
      `/app?dialog=edit&on=${NOBODYS}&ids=x`,
    ]) {
      expect((await user.send('GET', path)).status, path).toBe(200)
    }
    const ids = Array.from({ length: 10_000 }, (_, i) => (i % 2 ? NOBODYS : `${i}'; --`))
    const response = await submitForm(user, '/app', { intent: 'delete-selected', ids })
    expect(response.status).toBe(303)
  })

  test('intents that name properties of every object, and batch ids that no header can carry', async () => {
    for (const intent of ['constructor', '__proto__', 'toString']) {
      for (const page of ['/app', '/dashboard', '/account/password']) {
        const response = await submitForm(user, page, { intent })
        expect([page, intent, response.status]).toEqual([page, intent, 400])
      }
    }
    for (const id of ['a%C2%85b', '%D9%A1', 'x%26y'])
      expect((await user.send('GET', `/resources/batches/${id}/1`)).status).toBe(303)
  })

  test('a page that fails tells browsers the type of no error (GHSA-337j-9hxr-rhxg)', async () => {
    await product.db.query('alter table collections rename to collections_away')
    const response = await user
      .send('GET', '/collections')
      .finally(() => product.db.query('alter table collections_away rename to collections'))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('__subType')
  })

  test('K4: a request head of 100 kB, or no HTTP at all, ends only the connection', async () => {
    const { hostname, port } = new URL(product.url)
    const talk = (text: string) =>
      new Promise<string>((resolve) => {
        let response = ''
        const socket = net.connect(Number(port), hostname, () => socket.write(text))
        socket.on('data', (chunk) => (response += chunk.toString()))
        socket.on('close', () => resolve(response))
        // When the server closes with unread bytes, the connection is reset, and the response may
        // be lost.
        socket.on('error', () => resolve(response))
      })
    const head = `GET /api/videos?search=${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`
    expect(await talk(head)).toMatch(/^(HTTP\/1.1 431[^]*{"error":"The address[^]*}$|$)/)
    expect(await talk('\u0000\u0001\u0002 hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400[^]*"error"/)
    expect((await user.get('/api/videos')).status).toBe(200)
  })
})
