import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { download } from '../../app/platform/providers/http/download.server'
import { openWire, type Wire } from '../../app/platform/providers/http/wire.server'
import { memoryClip, openRig, refusalOf, type Rig, type MemoryClip } from './rig'

// Row e: a finished clip has been paid for. Downloaded bytes are kept and the download is resumed,
// in the same call or in another one minutes later, perhaps by another worker.

const CLIP = Buffer.from(Array.from({ length: 90_000 }, (_, at) => (at * 7919) % 251))
const TAG = '"first"'

type Host = (request: http.IncomingMessage, response: http.ServerResponse) => void

let wire: Wire
let server: http.Server
let port: number
let host: Host
let asked: http.IncomingHttpHeaders[]

beforeEach(async () => {
  asked = []
  server = http.createServer((request, response) => {
    asked.push(request.headers)
    host(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  wire = openWire({ configured: [`127.0.0.1:${port}`], documented: [] })
})
afterEach(async () => {
  await wire.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Makes one call of the engine. `tries` inside it are the adapter's own. */
const fetchInto = (file: MemoryClip, maxBytes = 1_000_000) =>
  download({
    wire,
    credential: null,
    secrets: [],
    timeScale: 0,
    policy: { configured: [`127.0.0.1:${port}`], documented: [] },
    url: `http://127.0.0.1:${port}/clip.mp4`,
    into: { file, maxBytes, idleMs: 5_000, signal: AbortSignal.timeout(10_000) },
    refuse: ({ status }) => ({ fault: { kind: 'transient' }, message: `status ${status}` }),
  })

type Facts = {
  tag?: string | null
  clip?: Buffer
  cutAt?: number
  headers?: Record<string, string>
}

/** Returns a host that supports ranges, and breaks off after `cutAt` bytes of a response. */
function serve({ tag = TAG, clip = CLIP, cutAt, headers = {} }: Facts = {}): Host {
  return (request, response) => {
    const named = { ...(tag === null ? {} : { etag: tag }), ...headers }
    const version = named.etag ?? headers['last-modified']
    const wish = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')
    const from = wish && request.headers['if-range'] === version ? Number(wish[1]) : 0
    const range = `bytes ${from < clip.length ? `${from}-${clip.length - 1}` : '*'}/${clip.length}`
    const body = clip.subarray(from)
    response.writeHead(from === 0 ? 200 : body.length === 0 ? 416 : 206, {
      'content-type': 'video/mp4',
      'content-length': String(body.length),
      ...named,
      ...(from === 0 ? {} : { 'content-range': range }),
    })
    if (cutAt === undefined) return void response.end(body)
    response.write(body.subarray(0, cutAt), () => setImmediate(() => response.destroy()))
  }
}

test('a clip that broke off in one call is resumed by the next: only the rest is sent', async () => {
  const file = memoryClip()
  host = serve({ cutAt: 20_000 })
  await refusalOf(fetchInto(file))
  // Three tries in one call, each of which fetched a part.
  expect(file.bytes()).toBe(60_000)
  host = serve()
  expect(await fetchInto(file)).toEqual({ bytes: CLIP.length })
  expect(file.content().equals(CLIP)).toBe(true)
  expect(file.written()).toBe(CLIP.length)
  expect(asked.map(({ range }) => range)).toEqual([
    undefined,
    'bytes=20000-',
    'bytes=40000-',
    'bytes=60000-',
  ])
  expect(asked.at(-1)?.['if-range']).toBe(TAG)
})

test('an old Last-Modified date works like an ETag; a recent one or a weak ETag does not', async () => {
  const date = (agoMs: number) => new Date(Date.UTC(2026, 10, 21, 12) - agoMs).toUTCString()
  const now = { date: date(0) }
  const cases: [Record<string, string>, number][] = [
    [{ ...now, 'last-modified': date(120_000) }, 3],
    [{ ...now, 'last-modified': date(1_000) }, 1],
    [{ etag: 'W/"weak"' }, 1],
    [{ etag: TAG, 'accept-ranges': 'none' }, 1],
  ]
  for (const [headers, tries] of cases) {
    asked = []
    const file = memoryClip()
    host = serve({ tag: null, headers, cutAt: 20_000 })
    await refusalOf(fetchInto(file))
    expect(asked, JSON.stringify(headers)).toHaveLength(tries)
    host = serve({ tag: null, headers })
    await fetchInto(file)
    expect(file.content().equals(CLIP)).toBe(true)
    expect(file.written()).toBe(tries === 3 ? CLIP.length : CLIP.length + 20_000)
  }
})

test('a host without ranges, or with another clip by now, sends the clip from the start', async () => {
  const other = Buffer.from(CLIP).fill(1, 0, 50)
  const hosts: [string, Host, Buffer][] = [
    ['ignores ranges', (_request, response) => response.writeHead(200).end(CLIP), CLIP],
    ['has another', serve({ tag: '"second"', clip: other }), other],
  ]
  for (const [what, does, clip] of hosts) {
    const file = memoryClip(CLIP.subarray(0, 30_000), TAG)
    host = does
    await fetchInto(file)
    expect(file.content().equals(clip), what).toBe(true)
  }
})

test('the rest of another clip, or from another offset, is never appended', async () => {
  const part = (headers: Record<string, string>): Host => {
    const whole = serve()
    return (request, response) => {
      if (request.headers.range === undefined) return whole(request, response)
      response.writeHead(206, headers).end(Buffer.alloc(60_000, 1))
    }
  }
  for (const headers of [
    { etag: '"second"', 'content-range': 'bytes 30000-89999/90000' },
    { etag: TAG, 'content-range': 'bytes 10-89999/90000' },
    { etag: TAG },
  ]) {
    const file = memoryClip(CLIP.subarray(0, 30_000), TAG)
    host = part(headers)
    await fetchInto(file)
    expect(file.content().equals(CLIP), JSON.stringify(headers)).toBe(true)
  }
})

test('a complete file is not fetched again, and one that is too long is restarted', async () => {
  const whole = memoryClip(CLIP, TAG)
  host = serve()
  expect(await fetchInto(whole)).toEqual({ bytes: CLIP.length })
  expect(whole.written()).toBe(0)
  const long = memoryClip(Buffer.concat([CLIP, Buffer.alloc(9)]), TAG)
  await fetchInto(long)
  expect(long.content().equals(CLIP)).toBe(true)
})

test('a host that responds to a range with an error is asked for the whole clip', async () => {
  for (const status of [400, 412, 416]) {
    const file = memoryClip(CLIP.subarray(0, 30_000), TAG)
    const whole = serve()
    host = (request, response) =>
      request.headers.range === undefined
        ? whole(request, response)
        : response.writeHead(status).end('no')
    await fetchInto(file)
    expect(file.content().equals(CLIP), String(status)).toBe(true)
  }
})

test('errors and HTML pages leave the downloaded bytes unchanged', async () => {
  const hosts: Host[] = [
    (_request, response) => response.writeHead(503).end(),
    (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    (_request, response) => response.destroy(),
  ]
  for (const broken of hosts) {
    const file = memoryClip(CLIP.subarray(0, 30_000), TAG)
    host = broken
    expect((await refusalOf(fetchInto(file))).fault).toEqual({ kind: 'transient' })
    expect(file.bytes()).toBe(30_000)
  }
})

test('an MD5 sum is checked if the download began in this call, and wrong bytes are discarded', async () => {
  const md5 = createHash('md5').update(CLIP).digest('base64')
  const broken = Buffer.from(CLIP).fill(9, 100, 200)
  host = serve({ clip: broken, headers: { 'x-goog-hash': `crc32c=AAAAAA==,md5=${md5}` } })
  const file = memoryClip()
  const refused = await refusalOf(fetchInto(file))
  expect(refused.message).toContain('MD5')
  expect(file.bytes()).toBe(0)
  host = serve({ headers: { 'x-goog-hash': `md5=${md5}` } })
  await fetchInto(file)
  const continued = memoryClip(CLIP.subarray(0, 500), TAG)
  await fetchInto(continued)
  expect(continued.content().equals(CLIP)).toBe(true)
})

test('a 401 from a host that got no token means an expired address, not a dead token', async () => {
  host = (_request, response) => response.writeHead(401).end('expired')
  expect(await refusalOf(fetchInto(memoryClip()))).toMatchObject({
    fault: { kind: 'permanent', reason: 'asset-gone' },
  })
})

test('a full disk fails with its own error, and the bytes written before are kept', async () => {
  const file = memoryClip()
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  host = serve()
  const { write } = file
  const small = {
    ...file,
    write: (chunk: Uint8Array) =>
      file.bytes() > 0 ? Promise.reject(full) : write(chunk.subarray(0, 10)),
  }
  await expect(fetchInto(small)).rejects.toBe(full)
  expect(file.bytes()).toBe(10)
  expect(asked).toHaveLength(1)
})

let rig: Rig | undefined
afterEach(async () => {
  await rig?.stop()
  rig = undefined
})

test.each(['vertex-veo', 'openai', 'gateway', 'runway'] as const)(
  '%s: two calls transfer one clip',
  async (flavour) => {
    rig = await openRig(flavour, { scenario: { defaults: { bytes: 300_000 } } })
    const { ref, asset } = await rig.finished()
    const cut = { fault: 'truncate', atByte: 80_000, how: 'cut' } as const
    rig.sim.play({ defaults: { bytes: 300_000 }, rules: [{ when: { op: 'content' }, do: cut }] })
    const file = memoryClip()
    await refusalOf(rig.fetch(ref, asset, { file }))
    expect(file.bytes()).toBe(240_000)
    rig.sim.play({ defaults: { bytes: 300_000 } })
    expect((await rig.fetch(ref, asset, { file })).length).toBe(300_000)
    expect(file.written()).toBe(300_000)
  },
)
