import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCESS } from '../../app/http/access/access'
import { safeRedirect } from '../../app/lib/paths'
import { startInstallation, type Installation, type TestUser } from '../support/installation'
import { makeVideos } from '../support/videos'

type Failure = { error: string; code: string }
let product: Installation
let user: TestUser
let admin: TestUser
beforeAll(async () => {
  product = await startInstallation()
  user = await product.user()
  admin = await product.user({ role: 'admin' })
})
afterAll(async () => {
  // Refusals are not errors of the server: it logs no error and no stack.
  expect(product.web.output()).toBe('')
  await product.remove()
})

/**
 * Sends raw bytes that no client library would send, and returns the first line of the response.
 */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(product.url)
  return new Promise((resolve, reject) => {
    let response = ''
    const socket = net.connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (chunk) => (response += chunk.toString()))
    socket.on('close', () => resolve(response))
    socket.on('error', reject)
  })
}
const head = (line: string, host = '127.0.0.1', more = '') =>
  `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`

describe('addresses', () => {
  test.each([
    '/ADMIN',
    '/Api/auth/me',
    '/%61pi/auth/me',
    '/%41dmin',
    '/api%2Fauth/me',
    '/x/../api/auth/me',
    '/x/%2e%2e/api/auth/me',
    '//app',
    '/api\\auth/me',
  ])('%s is another spelling of one of our paths, and a 404', async (path) => {
    const response = await raw(head(`GET ${path}`, undefined, `Cookie: ${admin.cookieHeader}\r\n`))
    expect(response).toMatch(/^HTTP\/1.1 404/)
  })

  test.each(['/admin/users/a%00b', '/batches/a%0ab', '/shared/a%7Fb', '/api/videos/a%1fb'])(
    '%s contains a control character, and is a 404',
    async (path) => expect((await admin.send('GET', path)).status).toBe(404),
  )

  test.each([
    ['an absolute URL', head('GET http://evil.example/app')],
    ['an invalid host', head('GET /app', 'a b')],
    ['a host with a path', head('GET /app', 'a/b:x')],
  ])('%s is a bad request', async (_name, text) =>
    expect(await raw(text)).toMatch(/^HTTP\/1.1 400/),
  )

  test('other methods get 405 with the allowed ones', async () => {
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND']) {
      const response = await raw(head(`${method} /login`))
      expect(response).toMatch(/^HTTP\/1.1 405/)
      expect(response).toMatch(/^allow: GET, HEAD, POST\r$/im)
    }
  })

  test('data of a route that the page does not have is refused', async () => {
    for (const route of ['root', 'routes/_user+/app', 'x'.repeat(5000)]) {
      const data = new URLSearchParams({ _data: route })
      const response = await user.send('GET', `/usage?${data}`)
      expect(response.status, route.slice(0, 20)).toBe(route === 'root' ? 200 : 403)
    }
  })

  test.each(['?search=%00', `?search=${'x'.repeat(201)}`])(
    'users cannot be searched by %s',
    async (query) => {
      const response = await admin.get<Failure>(`/api/admin/users${query}`)
      expect(response.status).toBe(400)
      expect(response.body.error).toMatch(/^search (contains|can have)/)
    },
  )

  test('pages treat an unreadable search as none', async () => {
    for (const path of ['/admin', '/admin/videos', '/admin/users/trash', '/admin/videos/trash']) {
      expect((await admin.send('GET', `${path}?search=%00`)).status, path).toBe(200)
    }
    for (const name of ['actor', 'subject']) {
      expect((await admin.send('GET', `/admin/activity?${name}=%00`)).status, name).toBe(200)
    }
  })

  test.each(['-', '()', '+'])('a search for %s alone has no matches', async (search) => {
    const found = await admin.get<unknown[]>(
      `/api/admin/users?search=${encodeURIComponent(search)}`,
    )
    expect(found.body).toEqual([])
  })
})

describe('where to go after signing in', () => {
  test.each([
    ['/app?tab=bulk#x', '/app?tab=bulk#x'],
    ['/admin?search=ü', '/admin?search=%C3%BC'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/./\\evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/x/..//evil.example', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/a\nb', '/'],
    [`/app?search=${'é'.repeat(2000)}`, '/'],
    [null, '/'],
  ])('%j leads to %s', (wanted, to) => expect(safeRedirect(wanted, '/')).toBe(to))

  test.each(['%2F.%2F%5Cevil.example', '%2Fapp%3Fprompt%3D%D9%86'])(
    'a sign-in with ?redirectTo=%s leads to a path of this site',
    async (redirectTo) => {
      const { username } = await product.user()
      const response = await product.client().submit(`/login?redirectTo=${redirectTo}`, {
        username,
        password: 'secret-1',
        intent: 'sign-in',
      })
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toMatch(/^\/app/)
    },
  )

  test('an address leads through sign-in without a very long query string, and is refused above 8,000 characters', async () => {
    const short = '/dashboard?status=error'
    const addresses = {
      [short]: [303, `/login?redirectTo=${encodeURIComponent(short)}`],
      [`/dashboard?search=${'%C3%A9'.repeat(1000)}`]: [303, '/login?redirectTo=%2Fdashboard'],
      [`/dashboard?search=${'%C3%A9'.repeat(2000)}`]: [414, null],
    }
    for (const [address, expected] of Object.entries(addresses)) {
      const response = await product.client().send('GET', address)
      expect([response.status, response.headers.get('location')]).toEqual(expected)
    }
  })
})

describe('bodies', () => {
  const post = (path: string, body: BodyInit, type: string) =>
    user.send('POST', path, {
      body,
      headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
    })

  test('JSON and malformed forms are refused where a form is expected', async () => {
    for (const path of [
      '/app',
      '/login',
      '/resources/theme',
      '/account/password',
      '/set-password',
    ]) {
      expect((await post(path, '{"intent":"generate"}', 'application/json')).status, path).toBe(415)
    }
    const broken = [
      '--x\r\nnonsense',
      '--x\r\ncontent-disposition: form-data\r\n\r\na\r\n--x--',
      'a',
    ]
    for (const body of broken) {
      expect((await post('/app', body, 'multipart/form-data; boundary=x')).status, body).toBe(400)
    }
    expect((await post('/app', 'a', 'multipart/form-data')).status).toBe(400)
    expect(
      (await post('/app', 'a=&'.repeat(30_000), 'application/x-www-form-urlencoded')).status,
    ).toBe(400)
  })

  test('a JSON body that is not UTF-8 is refused, not altered', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"prompt":"caf'),
      Buffer.from([0xe9]),
      Buffer.from('"}'),
    ])
    const response = await post('/api/videos/generate', bytes, 'application/json')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'The body is not UTF-8 text' })
  })
})

/** Routes whose responses are revalidated by their ETag. */
const REVALIDATED: Readonly<Record<string, string>> = {
  '/media/:file': 'private, no-cache',
  '/api/videos': 'private, no-cache',
  '/api/videos/archive': 'private, no-cache, no-transform',
  '/api/videos/changes': 'private, no-cache',
  '/api/videos/:videoId/status': 'private, no-cache',
  '/api/videos/:videoId/download': 'private, no-cache',
  '/api/batches': 'private, no-cache',
}
/** Routes that send a file of many users' or videos' data. */
const EXPORTS = [
  '/api/videos/archive',
  '/resources/prompts',
  '/admin/users/export',
  '/admin/activity/export',
]

describe('what may be cached', () => {
  test('signed-in responses are not stored, except those that are revalidated by their ETag', async () => {
    const [video] = await makeVideos(product, admin.userId, [{}])
    const nowhere = '00000000-0000-4000-8000-000000000000'
    const routes = Object.entries(ACCESS).filter(
      ([, entry]) => 'GET' in entry && entry.GET !== 'anyone',
    )
    expect(routes.length).toBeGreaterThan(30)
    const redirects: string[] = []
    for (const [route] of routes) {
      const path = route
        .replace(':file', `${video?.id}.mp4`)
        .replace(':videoId', video?.id ?? '')
        .replace(/:\w+/g, nowhere)
      const query = route === '/resources/prompts' ? '?choice=all' : ''
      const { headers, status } = await admin.send('GET', `${path}${query}`)
      // Browsers do not store redirects.
      if (status >= 300 && status < 400) {
        redirects.push(route)
        continue
      }
      expect(headers.get('cache-control'), path).toBe(REVALIDATED[route] ?? 'no-store')
      if (EXPORTS.includes(route)) expect(status, path).toBe(200)
    }
    // There is no draft, no list, no chosen change, no payment and no batch to show.
    expect(redirects).toEqual([
      '/app/receipt',
      '/app/list',
      '/admin/users/change',
      '/admin/payments/export',
      '/resources/batches/:batchId/:place',
    ])
    const data = await admin.send('GET', '/app?_data=routes%2F_user%2B%2Fapp')
    expect(data.headers.get('cache-control')).toBe('no-store')
    for (const path of ['/admin/confirm', '/admin/users/import', '/admin/users/assign-tokens']) {
      const { headers } = await admin.send('POST', path, {
        body: new URLSearchParams({ text: 'token-1' }),
        headers: { 'sec-fetch-site': 'same-origin' },
      })
      expect(headers.get('cache-control'), path).toBe('no-store')
    }
    const signIn = await product.client().call('POST', '/api/auth/login', {
      username: user.username,
      password: 'secret-1',
    })
    expect(signIn.headers.get('cache-control')).toBe('no-store')
  })

  test('refusals of calls are not stored either', async () => {
    const { status, headers } = await user.send('DELETE', '/api/videos/none', {
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
  })

  test('a small JSON answer has a length and is not compressed, a long one is compressed', async () => {
    const accept = { headers: { 'accept-encoding': 'gzip' } }
    const small = await user.send('GET', '/api/auth/me', accept)
    const { byteLength } = await small.clone().arrayBuffer()
    expect(byteLength).toBeLessThan(1024)
    expect([small.headers.get('content-length'), small.headers.get('content-encoding')]).toEqual([
      String(byteLength),
      null,
    ])
    await makeVideos(product, user.userId, Array(20).fill({}))
    const long = await user.send('GET', '/api/videos', accept)
    expect(long.headers.get('content-encoding')).toBe('gzip')
    const { videos } = (await long.json()) as { videos: unknown[] }
    expect(videos).toHaveLength(20)
  })

  test('signing out clears the browser’s cache', async () => {
    const leaving = await product.user()
    const response = await leaving.send('POST', '/api/auth/logout', {
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(response.headers.get('clear-site-data')).toBe('"cache", "storage"')
  })

  test('pages may not use the camera, source maps are not served, and security.txt names a contact', async () => {
    const stranger = product.client()
    const policy = (await stranger.send('GET', '/')).headers.get('permissions-policy') ?? ''
    expect(policy).toContain('camera=()')
    expect(policy).toContain('clipboard-write=(self)')
    const page = await (await stranger.send('GET', '/login')).text()
    const [script = ''] = /\/build\/[^"']+\.(?:js|css)/.exec(page) ?? []
    expect((await stranger.send('GET', script)).status).toBe(200)
    expect((await stranger.send('GET', `${script}.map`)).status).toBe(404)
    const text = await (await stranger.send('GET', '/.well-known/security.txt')).text()
    expect(text).toMatch(/^Contact: mailto:\S+@\S+\nExpires: \d{4}-\d\d-\d\dT/)
  })
})
