import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ask } from '../../app/platform/providers/http/ask.server'
import { download } from '../../app/platform/providers/http/download.server'
import { openWire, type Wire } from '../../app/platform/providers/http/wire.server'
import { ProviderError } from '../../app/platform/providers/port'
import { openRng, PATIENCE_MS, SEED, trials, type Rng } from '../support/engine/trials'
import { until } from '../support/wait'
import { memoryClip } from './rig'

vi.setConfig({ testTimeout: PATIENCE_MS })

// F12 with the product's own client and shorter limits: a response that stalls or trickles is cut
// off, and its connection is closed on both ends. The limits themselves are R15's (wire.server.ts).
const LIMITS = { connectMs: 500, headersMs: 500, submitHeadersMs: 500, bodyIdleMs: 500 }
/**
 * Stands for the engine's limits of a whole call: 60 s for a submit, 30 s for a poll, 5 min for a
 * clip.
 */
const WHOLE_CALL_MS = 1_500
const TRICKLE_EVERY_MS = 20

let wire: Wire
let server: net.Server
/** The port of a server that accepts connections and sends nothing, not even TLS. */
let port: number
let open = 0
let behave: (socket: net.Socket) => void = () => undefined

beforeEach(async () => {
  server = net.createServer((socket) => {
    open += 1
    socket.on('error', () => undefined).on('close', () => (open -= 1))
    socket.once('data', () => behave(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  wire = openWire({ configured: [`127.0.0.1:${port}`], documented: [] }, LIMITS)
})
afterEach(async () => {
  await wire.close()
  await new Promise((resolve) => server.close(resolve))
})

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nContent-Type: '
const trickle = (type: string) => (socket: net.Socket) => {
  socket.write(`${HEAD}${type}\r\n\r\n`)
  const drip = setInterval(() => socket.write('{'), TRICKLE_EVERY_MS)
  socket.on('close', () => clearInterval(drip))
}
const stall = (type: string) => (socket: net.Socket) => {
  socket.write(`${HEAD}${type}\r\n\r\n{`)
}
const silent = () => undefined

type Step = 'submit' | 'poll'
const question = (step: Step, scheme: string) =>
  ask(wire, {
    ...(step === 'submit' ? { step, mayStart: () => Promise.resolve(true) } : { step }),
    method: 'POST',
    secrets: [],
    headers: {},
    body: '{}',
    url: new URL(`${scheme}://127.0.0.1:${port}/v1/videos`),
    signal: AbortSignal.timeout(WHOLE_CALL_MS),
  })

const clip = () => {
  const signal = AbortSignal.timeout(WHOLE_CALL_MS)
  return download({
    wire,
    policy: { configured: [`127.0.0.1:${port}`], documented: [] },
    url: `http://127.0.0.1:${port}/clip.mp4`,
    credential: null,
    secrets: [],
    into: { file: memoryClip(), maxBytes: 1_000_000, idleMs: LIMITS.bodyIdleMs, signal },
    timeScale: 0.01,
    refuse: () => ({ fault: { kind: 'transient' }, message: 'refused' }),
  })
}

/**
 * Returns how a call ended. A truncated response is no transport error: the adapter classifies it.
 */
async function endOf(call: Promise<unknown>): Promise<string> {
  try {
    const response = await call
    const isCut =
      typeof response === 'object' &&
      response !== null &&
      JSON.stringify(response).includes('"is":"cut"')
    return isCut ? 'cut' : 'answered'
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return `${error.fault.kind}, ${error.acceptance}`
  }
}

const CASES = {
  'TLS never begins': {
    server: silent,
    call: () => question('submit', 'https'),
    end: 'transient, not-sent',
  },
  'a submit gets no response': {
    server: silent,
    call: () => question('submit', 'http'),
    end: 'transient, unknown',
  },
  'a poll gets no response': {
    server: silent,
    call: () => question('poll', 'http'),
    end: 'transient, accepted',
  },
  'a response stalls': {
    server: stall('application/json'),
    call: () => question('poll', 'http'),
    end: 'cut',
  },
  'a response trickles': {
    server: trickle('application/json'),
    call: () => question('poll', 'http'),
    end: 'cut',
  },
  'a clip stalls': {
    server: stall('video/mp4'),
    call: clip,
    end: 'transient, accepted',
  },
  'a clip trickles': {
    server: trickle('video/mp4'),
    call: clip,
    end: 'transient, accepted',
  },
} as const

const share = (of: number) => Math.ceil(of / Object.keys(CASES).length)

test.each(Object.entries(CASES))(
  `F12: %s: cut off at its limit, and the connection is released (seed ${SEED})`,
  async (_what, { server: does, call, end }) => {
    const rng: Rng = openRng(12)
    for (let left = share(trials(50, 500)); left > 0; left -= 16) {
      behave = does
      const ends = await Promise.all(
        Array.from({ length: Math.min(16, left) }, async () => {
          for (let turns = rng.below(5); turns > 0; turns--) await new Promise(setImmediate)
          return endOf(call())
        }),
      )
      expect(new Set(ends)).toEqual(new Set([end]))
      await until('every connection to be closed', () => open === 0)
    }
  },
)
