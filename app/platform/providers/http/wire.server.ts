import type { LookupFunction, Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { Agent, buildConnector, request, type Dispatcher } from 'undici'
import { guardedLookup, type AddressPolicy } from './address.server'
import { decoded } from './decoding.server'

export type Timeouts = {
  /** DNS, TCP and TLS together. */
  connectMs: number
  /** From the request to the response headers. */
  headersMs: number
  /**
   * `headersMs` for a submit. Longer, because giving up on an accepted order costs more than
   * waiting.
   */
  submitHeadersMs: number
  /** The longest pause between two pieces of a response body. */
  bodyIdleMs: number
}

export const TIMEOUTS: Timeouts = {
  connectMs: 5_000,
  headersMs: 30_000,
  submitHeadersMs: 60_000,
  bodyIdleMs: 20_000,
}

export type Exchange = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: URL
  headers: Readonly<Record<string, string>>
  body?: string | Buffer
  signal: AbortSignal
}

/** A response whose body is still unread. The body must be read or destroyed. */
export type OpenResponse = {
  got: 'answer'
  status: number
  headers: Readonly<Record<string, string>>
  body: Readable
}

/** No response. `left` is false only if certainly no byte of the request was sent. */
export type Silence = { got: 'nothing'; left: boolean; code: string; message: string }

export type Wire = {
  /** Sends one request over kept-alive connections. Never throws, retries or follows redirects. */
  send(exchange: Exchange): Promise<OpenResponse | Silence>
  /**
   * Sends one request over a fresh connection. The server may close a kept-alive connection just as
   * it is reused, and that cannot be told from a lost response. `mayStart` is called once, when the
   * connection is established and nothing has been sent. If it returns false nothing is sent. It must
   * not throw.
   */
  sendFresh(exchange: Exchange, mayStart: () => Promise<boolean>): Promise<OpenResponse | Silence>
  /** Closes the kept-alive connections. */
  close(): Promise<void>
}

/**
 * Creates the HTTP client for a provider. Connects on the first request. `lookup` replaces the guarded
 * look-up of names, and has to refuse private addresses as well.
 */
export function openWire(
  policy: AddressPolicy,
  timeouts: Timeouts = TIMEOUTS,
  lookup: LookupFunction = guardedLookup(policy),
): Wire {
  const connecting = { timeout: timeouts.connectMs, lookup }
  const kept = new Agent({ connect: connecting })
  return {
    send: (exchange) =>
      exchangeOver(kept, exchange, {
        ...timeouts,
        left: () => true,
      }),
    async sendFresh(exchange, mayStart) {
      const sent = { left: false }
      const connect = askingConnector(buildConnector(connecting), async (socket) => {
        const may = !exchange.signal.aborted && (await mayStart())
        // The server may have closed the connection while the intent was stored.
        sent.left = may && !exchange.signal.aborted && !socket.destroyed
        return sent.left
      })
      const agent = new Agent({ pipelining: 0, connect })
      const response = await exchangeOver(agent, exchange, {
        headersMs: timeouts.submitHeadersMs,
        bodyIdleMs: timeouts.bodyIdleMs,
        left: () => sent.left,
      })
      if (response.got === 'nothing') void agent.destroy()
      else response.body.once('close', () => void agent.destroy())
      return response
    },
    close: () => kept.destroy(),
  }
}

/** Wraps a connector so that it closes the connection unused if `mayStart` returns false. */
function askingConnector(
  connect: buildConnector.connector,
  mayStart: (socket: Socket) => Promise<boolean>,
): buildConnector.connector {
  return (target, done) =>
    connect(target, (...result) => {
      const [error, socket] = result
      if (error !== null) return done(...result)
      void mayStart(socket).then((may) => {
        if (may) return done(...result)
        socket.destroy()
        done(Object.assign(new Error('the order was held back'), { code: 'HELD_BACK' }), null)
      })
    })
}

type TransportLimits = Pick<Timeouts, 'headersMs' | 'bodyIdleMs'> & { left: () => boolean }

async function exchangeOver(
  dispatcher: Dispatcher,
  { url, method, headers, body, signal }: Exchange,
  { headersMs, bodyIdleMs, left }: TransportLimits,
): Promise<OpenResponse | Silence> {
  if (signal.aborted) {
    return { got: 'nothing', left: false, code: 'ABORTED', message: 'the call was given up' }
  }
  try {
    const response = await request(url, {
      dispatcher,
      method,
      headers: { 'user-agent': 'reelmill', 'accept-encoding': 'identity', ...headers },
      body: body ?? null,
      signal,
      headersTimeout: headersMs,
      bodyTimeout: bodyIdleMs,
    })
    // A body that is destroyed unread emits an error, which would end the process without a
    // listener. Readers still receive errors.
    response.body.on('error', () => undefined)
    const { statusCode: status, body: coming } = response
    const plain = decoded({ status, headers: flat(response.headers), body: coming })
    return { got: 'answer', ...plain }
  } catch (error) {
    return { got: 'nothing', left: left(), ...wordsOf(error) }
  }
}

function flat(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), [value].flat().join(', ')]],
    ),
  )
}

/** Returns the code and message of a transport error, also if several addresses were tried. */
export function wordsOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: 'UNKNOWN', message: String(error) }
  if (error instanceof AggregateError && error.errors.length > 0) {
    const first: unknown = error.errors[0]
    return wordsOf(first)
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const message = error.name === 'TimeoutError' ? 'no response in time' : error.message
  return { code, message: message === '' ? code : message }
}
