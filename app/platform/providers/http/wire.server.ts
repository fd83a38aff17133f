import type { Readable } from 'node:stream'
import { Agent, buildConnector, request, type Dispatcher } from 'undici'
import { guardedLookup, type AddressPolicy } from './address.server'

export type Timeouts = {
  /** Name, TCP and TLS together. */
  connectMs: number
  /** From the request until the answer's headers. */
  headersMs: number
  /** The same for a submit: giving up on an order that is taken costs more than waiting. */
  submitHeadersMs: number
  /** Longest pause between two pieces of an answer. */
  bodyIdleMs: number
}

const TIMEOUTS: Timeouts = {
  connectMs: 5_000,
  headersMs: 30_000,
  submitHeadersMs: 60_000,
  bodyIdleMs: 20_000,
}

export type Exchange = {
  method: 'GET' | 'POST' | 'DELETE'
  url: URL
  headers: Readonly<Record<string, string>>
  body?: string | Buffer
  signal: AbortSignal
}

/** An answer whose body is still coming. It must be read or destroyed. */
export type OpenAnswer = {
  got: 'answer'
  status: number
  headers: Readonly<Record<string, string>>
  body: Readable
}

/** `left` is false only when certainly not a byte of the request went out. */
export type Silence = { got: 'nothing'; left: boolean; code: string; message: string }

export type Wire = {
  /** One request over kept connections. Never throws, never retries, never follows. */
  send(exchange: Exchange): Promise<OpenAnswer | Silence>
  /**
   * One request over a connection of its own. A kept connection may be closed by the server in the
   * very moment it is used again, and such a loss cannot be told from a lost answer. `mayStart` is
   * asked once, when the connection stands and nothing has gone out: a process that was frozen while
   * it connected wakes up here. After false nothing is sent.
   */
  sendFresh(exchange: Exchange, mayStart: () => boolean): Promise<OpenAnswer | Silence>
  /** Closes the kept connections. */
  close(): Promise<void>
}

/** Opens the way to a provider; nothing connects before the first request. */
export function openWire(policy: AddressPolicy, timeouts: Timeouts = TIMEOUTS): Wire {
  const connecting = { timeout: timeouts.connectMs, lookup: guardedLookup(policy) }
  const kept = new Agent({ connect: connecting })
  return {
    send: (exchange) =>
      exchangeOver(kept, exchange, {
        ...timeouts,
        left: () => true,
      }),
    async sendFresh(exchange, mayStart) {
      const sent = { left: false }
      const connect = askingConnector(buildConnector(connecting), () => {
        sent.left = !exchange.signal.aborted && mayStart()
        return sent.left
      })
      const agent = new Agent({ pipelining: 0, connect })
      const answer = await exchangeOver(agent, exchange, {
        headersMs: timeouts.submitHeadersMs,
        bodyIdleMs: timeouts.bodyIdleMs,
        left: () => sent.left,
      })
      if (answer.got === 'nothing') void agent.destroy()
      else answer.body.once('close', () => void agent.destroy())
      return answer
    },
    close: () => kept.destroy(),
  }
}

/** Connects, and closes the connection unused when the request must not start any more. */
function askingConnector(
  connect: buildConnector.connector,
  mayStart: () => boolean,
): buildConnector.connector {
  return (target, done) =>
    connect(target, (...result) => {
      const [error, socket] = result
      if (error !== null || mayStart()) return done(...result)
      socket.destroy()
      done(Object.assign(new Error('the order was held back'), { code: 'HELD_BACK' }), null)
    })
}

type Over = Pick<Timeouts, 'headersMs' | 'bodyIdleMs'> & { left: () => boolean }

async function exchangeOver(
  dispatcher: Dispatcher,
  { url, method, headers, body, signal }: Exchange,
  { headersMs, bodyIdleMs, left }: Over,
): Promise<OpenAnswer | Silence> {
  if (signal.aborted) {
    return { got: 'nothing', left: false, code: 'ABORTED', message: 'the call was given up' }
  }
  try {
    const answer = await request(url, {
      dispatcher,
      method,
      headers: { 'user-agent': 'reelmill', ...headers },
      body: body ?? null,
      signal,
      headersTimeout: headersMs,
      bodyTimeout: bodyIdleMs,
    })
    // A body that is dropped unread reports that as an error, which would end the process; readers
    // hear of errors all the same.
    answer.body.on('error', () => undefined)
    return {
      got: 'answer',
      status: answer.statusCode,
      headers: flat(answer.headers),
      body: answer.body,
    }
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

/** The code and words of a transport error, also where several addresses were tried. */
export function wordsOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: 'UNKNOWN', message: String(error) }
  if (error instanceof AggregateError && error.errors.length > 0) {
    const first: unknown = error.errors[0]
    return wordsOf(first)
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const message = error.name === 'TimeoutError' ? 'no answer in time' : error.message
  return { code, message: message === '' ? code : message }
}
