import type http from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Action, Family, Operation } from './scenario'
import type { Simulation } from './simulation'
import { encodedReply } from './strange'

export type Incoming = {
  method: string
  url: URL
  headers: http.IncomingHttpHeaders
  body: Buffer
  /** The bearer token, or null. */
  token: string | null
  /** Arrival in the simulator's time, before any latency. */
  arrivedAt: number
  /** Which of the two servers received it. */
  listener: 'api' | 'files'
}

export type Reply = {
  status: number
  headers: Record<string, string>
  body: Buffer
  /** The body is a clip: ranges, speeds and byte faults apply. */
  isClip?: true
}

/** A request and the response to it. */
export type Exchange = {
  simulation: Simulation
  incoming: Incoming
  family: Family
  op: Operation
  action: Action
  orderId: string | null
  /** Set if this request created an order. */
  accepted: boolean
}

/** Thrown by a handler to end the request with this reply. */
export class Refusal extends Error {
  constructor(readonly reply: Reply) {
    super(`refused with ${reply.status}`)
  }
}

export const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

const JSON_LIMIT = 2 * 1024 * 1024

export async function readIncoming(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > JSON_LIMIT) throw new Error('the request is too large for a simulator')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

const PROXY_PAGE = Buffer.from(
  '<!doctype html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n',
)

/** Returns the error page of a proxy in front of the provider. */
export const proxyPage = (status: number): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: PROXY_PAGE,
})

type Out = {
  response: http.ServerResponse
  incoming: Incoming
  simulation: Simulation
  action: Action
}

/** Sends a reply with the faults that the scenario sets. */
export async function send(out: Out, reply: Reply): Promise<void> {
  const { response, simulation, action, incoming } = out
  const socket = response.socket
  response.setHeader('date', new Date(simulation.clock.now()).toUTCString())
  response.sendDate = false
  const headers = withRetryHeaders(reply, action, simulation.clock.now())
  switch (action.fault) {
    case 'drop-before-accept':
    case 'drop-after-accept':
      socket?.destroy()
      return
    case 'reset':
      socket?.resetAndDestroy()
      return
    case 'half-headers':
      socket?.write('HTTP/1.1 200 OK\r\ncontent-type: application/js')
      socket?.end()
      return
    case 'half-json':
      response.writeHead(reply.status, { ...headers, 'content-length': String(reply.body.length) })
      response.write(reply.body.subarray(0, Math.floor(reply.body.length / 2)))
      setImmediate(() => socket?.destroy())
      return
    case 'empty':
      response.writeHead(200, { 'content-length': '0' })
      response.end()
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(PROXY_PAGE)
      return
    case 'big-json':
      await sendBigJson(response)
      return
    case 'hang':
      simulation.hanging.add(response)
      return
    case undefined:
    default:
  }
  const encoded = encodedReply(simulation.scenario.strange, { ...reply, headers })
  if (encoded) {
    response.writeHead(encoded.status, encoded.headers)
    response.end(encoded.body)
    return
  }
  if (reply.isClip) return sendClip(out, { ...reply, headers })
  const wantsGzip = /\bgzip\b/.test(incoming.headers['accept-encoding'] ?? '')
  const body = wantsGzip && reply.body.length > 0 ? gzipSync(reply.body) : reply.body
  response.writeHead(reply.status, {
    ...headers,
    ...(wantsGzip && reply.body.length > 0 ? { 'content-encoding': 'gzip' } : {}),
  })
  await simulation.pause(action.bodyLatencyMs)
  response.end(body)
}

function withRetryHeaders(reply: Reply, action: Action, now: number): Record<string, string> {
  if (action.retryAfter === undefined || reply.status < 400) return reply.headers
  const value =
    action.retryAfter === 'date' ? new Date(now + 7_000).toUTCString() : String(action.retryAfter)
  return { ...reply.headers, 'retry-after': value }
}

/** Resolves when more can be written, or when the connection is closed. */
function drained(response: http.ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

/** Sends ten megabytes of valid JSON, generated while they are sent. */
async function sendBigJson(response: http.ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  const block = `${JSON.stringify('x'.repeat(1_000))},`.repeat(64)
  response.write('{"name":"big","junk":[')
  for (let sent = 0; sent < 10_000_000 && !response.destroyed; sent += block.length) {
    if (response.write(block)) continue
    await drained(response)
  }
  response.end('1]}')
}

type Part = { from: number; to: number; total: number }

async function sendClip(
  { response, incoming, simulation, action }: Out,
  reply: Reply,
): Promise<void> {
  const { fault } = action
  const bytes = mangled(reply.body, action)
  const part = partOf(incoming, reply, { total: bytes.length, ignore: fault === 'ignore-range' })
  if (part.from >= part.total && part.total > 0) {
    const { etag } = reply.headers
    response.writeHead(416, {
      ...(etag === undefined ? {} : { etag }),
      'content-range': `bytes */${part.total}`,
      'content-length': '0',
    })
    response.end()
    return
  }
  const body = bytes.subarray(part.from, part.to)
  const isPart = part.to - part.from < part.total || part.from > 0
  const cleanEnd = fault === 'truncate' && action.how === 'clean-end'
  const length = fault === 'wrong-length' ? body.length + 1_000 : body.length
  response.writeHead(isPart ? 206 : 200, {
    ...reply.headers,
    ...(fault === 'wrong-type' ? { 'content-type': 'application/json; charset=UTF-8' } : {}),
    ...(isPart ? { 'content-range': `bytes ${part.from}-${part.to - 1}/${part.total}` } : {}),
    ...(cleanEnd ? {} : { 'content-length': String(length) }),
  })
  if (cleanEnd) {
    // Neither a length nor chunks: the clip ends where the connection ends.
    response.useChunkedEncodingByDefault = false
  }
  await simulation.pause(action.bodyLatencyMs)
  const stopAt = fault === 'truncate' || fault === 'stall' ? (action.atByte ?? 1_000) : body.length
  await write(response, body.subarray(0, Math.min(stopAt, body.length)), simulation, action)
  if (fault === 'stall' && stopAt < body.length) {
    simulation.hanging.add(response)
    return
  }
  if (fault === 'wrong-length' || (fault === 'truncate' && !cleanEnd && stopAt < body.length)) {
    setImmediate(() => response.socket?.destroy())
    return
  }
  response.end()
}

function mangled(clip: Buffer, { fault, bytes = 1_000_000 }: Action): Buffer {
  if (fault === 'no-bytes') return Buffer.alloc(0)
  if (fault === 'json') return Buffer.from('{"message":"here is no clip"}')
  if (fault === 'oversize') return Buffer.concat([clip, Buffer.alloc(bytes)])
  if (fault !== 'corrupt') return clip
  const broken = Buffer.from(clip)
  const index = broken.indexOf('moov')
  broken.fill(0xff, index + 4, index + 400)
  return broken
}

function partOf(
  incoming: Incoming,
  reply: Reply,
  { total, ignore }: { total: number; ignore: boolean },
): Part {
  const range = /^bytes=(\d+)-(\d*)$/.exec(incoming.headers.range ?? '')
  const condition = incoming.headers['if-range']
  const isStale = condition !== undefined && condition !== reply.headers.etag
  if (!range || ignore || isStale) return { from: 0, to: total, total }
  const to = range[2] === '' ? total : Math.min(total, Number(range[2]) + 1)
  return { from: Number(range[1]), to, total }
}

async function write(
  response: http.ServerResponse,
  body: Buffer,
  simulation: Simulation,
  action: Action,
): Promise<void> {
  const speed = action.bytesPerSecond ?? simulation.scenario.defaults.bytesPerSecond
  const step = speed === undefined ? 65_536 : Math.max(1, Math.ceil(speed / 10))
  const began = simulation.clock.now()
  for (let at = 0; at < body.length && !response.destroyed; at += step) {
    // Paced by the clock, not by counting pauses, which are longer on a busy machine.
    const dueAt = began + (speed === undefined ? 0 : (at / speed) * 1000)
    await simulation.clock.after(dueAt - simulation.clock.now())
    if (response.write(body.subarray(at, at + step))) continue
    await drained(response)
  }
}
