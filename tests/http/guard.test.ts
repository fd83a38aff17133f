import net from 'node:net'
import { describe, expect, test } from 'vitest'
import { ACCESS } from '../../app/http/access/access'
import { useInstallation } from '../support/shared-installation'

const product = useInstallation()

const isPage = (path: string) => !path.startsWith('/api/') && !path.startsWith('/media/')
/** Returns an address of each route. Its ids are well-formed and do not exist. */
const example = (path: string) =>
  path
    .replace(':file', '00000000-0000-4000-8000-000000000000.mp4')
    .replace(/:\w+/, '00000000-0000-4000-8000-000000000000')
    .replace('*', 'nowhere')

describe('the access table', () => {
  const cells = Object.entries(ACCESS).flatMap(([path, entry]) =>
    Object.entries(entry).map(([method, principal]) => ({ path, method, principal })),
  )

  test.each(cells.filter(({ principal }) => principal !== 'anyone'))(
    'U-API-22: $method $path is refused to visitors',
    async ({ path, method }) => {
      const response = await product.client().send(method, example(path), {
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
        ...(method !== 'GET' && { body: '{}' }),
      })
      await response.arrayBuffer()
      if (isPage(path)) {
        // A 307 keeps the body, so the typed text survives signing in. A list and a preview are stored anyway, and
        // nothing is typed where deleted videos are restored.
        const keepsTyped =
          method === 'POST' &&
          /^\/(app(?!\/(?:list|rewrite))|dashboard|videos\/(?!deleted))/.test(path)
        expect(response.status).toBe(keepsTyped ? 307 : 303)
        expect(response.headers.get('location')).toMatch(keepsTyped ? /^\/resume/ : /^\/login/)
      } else {
        expect(response.status).toBe(401)
      }
    },
  )

  test.each(Object.entries(ACCESS).filter(([path]) => !path.endsWith('*')))(
    '%s accepts no other method',
    async (path, entry) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => !(name in entry))) {
        const response = await product.client().send(method, example(path), {
          headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
          body: '{}',
        })
        await response.arrayBuffer()
        expect(response.status).toBe(405)
        expect(response.headers.get('allow')).toBeTruthy()
      }
    },
  )
})

describe('cross-site writes', () => {
  const origins = {
    'another site': { 'sec-fetch-site': 'cross-site' },
    'a sister domain': { 'sec-fetch-site': 'same-site' },
    'an old browser on another site': { origin: 'https://evil.example' },
    'a sandboxed page': { origin: 'null' },
    'a form without any origin': { 'content-type': 'text/plain' },
  }

  test.each(Object.entries(origins))('%s changes nothing', async (_name, headers) => {
    const user = await product.user()
    const response = await user.send('POST', '/api/videos/generate', {
      body: JSON.stringify({ prompt: 'forged' }),
      headers: { 'content-type': 'application/json', ...headers },
    })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'CROSS_SITE' })
    const me = await user.get<{ videosGeneratedToday: number }>('/api/auth/me')
    expect(me.body.videosGeneratedToday).toBe(0)
    const logout = await user.send('POST', '/logout', { body: '', headers })
    expect(logout.status).toBe(403)
    expect((await user.get('/api/auth/me')).status).toBe(200)
  })

  test('a form of a signed-in page without its token is not carried out', async () => {
    const user = await product.user()
    const response = await user.submit('/app', {
      intent: 'generate',
      prompt: 'forged',
      aspectRatio: 'portrait',
    })
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('forged')
    const { body } = await user.get<{ videosGeneratedToday: number }>('/api/auth/me')
    expect(body.videosGeneratedToday).toBe(0)
  })
})

describe('shapes', () => {
  test('a body over 1 MB is refused, even without a Content-Length', async () => {
    const user = await product.user()
    const large = JSON.stringify({ prompt: 'x'.repeat(1024 * 1024) })
    const told = await user.send('POST', '/api/videos/generate', {
      body: large,
      headers: { 'content-type': 'application/json' },
    })
    expect(told.status).toBe(413)
    const chunked = await user.send('POST', '/api/videos/generate', {
      body: new Blob([large]).stream(),
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    })
    expect(chunked.status).toBe(411)
  })

  test('bodies must be JSON with its content type', async () => {
    const user = await product.user()
    const send = async (body: string, type: string) => {
      const response = await user.send('POST', '/api/videos/generate', {
        body,
        headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      })
      return response.status
    }
    expect(await send('prompt=x', 'application/x-www-form-urlencoded')).toBe(415)
    expect(await send('{"prompt":', 'application/json')).toBe(400)
  })

  test('unknown methods are refused', async () => {
    const { hostname, port } = new URL(product.url)
    const response = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(port), hostname, () => {
        socket.write(`PROPFIND / HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`)
      })
      let text = ''
      socket.on('data', (chunk) => (text += chunk.toString()))
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
    })
    expect(response).toMatch(/^HTTP\/1.1 405/)
  })

  test('A15: a request that names two hosts is refused', async () => {
    const { hostname, port } = new URL(product.url)
    const answerTo = (hosts: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = net.connect(Number(port), hostname, () => {
          socket.write(`GET /login HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
        })
        let text = ''
        socket.on('data', (chunk) => (text += chunk.toString()))
        socket.on('end', () => resolve(text))
        socket.on('error', reject)
      })
    expect(await answerTo(`Host: ${hostname}\r\n`)).toMatch(/^HTTP\/1.1 200/)
    expect(await answerTo(`Host: ${hostname}\r\nHOST: evil.example\r\n`)).toMatch(/^HTTP\/1.1 400/)
  })

  test('U-ROUTE-9: an unknown page is a 404 page, an unknown call a 404 JSON response', async () => {
    const page = await product.client().send('GET', '/nope')
    expect(page.status).toBe(404)
    expect(await page.text()).toContain('<title>Page Not Found</title>')
    const call = await product.client().get('/api/nope')
    expect(call.status).toBe(404)
    expect(call.body).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('every response has the security headers, and each page its own nonce', async () => {
    const nonces = new Set<string>()
    for (const path of ['/', '/login', '/nope', '/api/nope', '/healthz']) {
      const { headers } = await product.client().send('GET', path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("object-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe-inline')
      nonces.add(/'nonce-([^']+)'/.exec(policy)?.[1] ?? '')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-powered-by')).toBeNull()
    }
    expect(nonces.size).toBe(5)
  })
})

describe('health', () => {
  test('liveness, readiness, and metrics from this machine only', async () => {
    expect((await product.client().get('/healthz')).body).toEqual({ status: 'ok' })
    expect((await product.client().get('/readyz')).body).toEqual({ status: 'ready' })
    const own = await product.client().send('GET', '/metrics')
    expect(await own.text()).toContain('process_resident_memory_bytes')
  })

  test.each(['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via', 'forwarded', 'cf-ray'])(
    'A13: no client of a proxy reads the metrics, which %s shows',
    async (name) => {
      const proxied = await product
        .client()
        .send('GET', '/metrics', { headers: { [name]: '1.1 proxy' } })
      expect(proxied.status).toBe(404)
    },
  )
})
