import { fetch as undiciFetch, Pool, type RequestInit as UndiciInit } from 'undici'

/** A client that goes through a proxy, over kept-alive connections, as browsers do. */
export type Front = {
  /** Like Node's fetch. Records every request that fails. */
  send: typeof fetch
  asked: () => number
  /** The failures, one line per request. */
  failures: readonly string[]
  /**
   * Returns the number of requests that the product rejected after a time limit, because this
   * machine is too busy with other work.
   */
  late: () => number
  close: () => Promise<void>
}

/** As many connections as a few busy browsers use. */
const CONNECTIONS = 32
/** Below the product's shortest time limit, that for a database connection. */
const LIMIT_MS = 1_400
/** Characters of a refusal's body that are reported. */
const WORDS = 120
/** Statuses whose responses must not have a body. */
const EMPTY = new Set([204, 205, 304])

/** Creates a client for an origin whose host the proxy's configuration names, on this machine. */
export function openFront(origin: string, ca: string): Front {
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    connect: {
      ca,
      lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    },
  })
  const startedAt = performance.now()
  const failures: string[] = []
  let asked = 0
  let late = 0
  const send = async (input: URL, init: UndiciInit = {}): Promise<Response> => {
    asked += 1
    const askedAt = performance.now()
    const note = (what: string) => {
      const [at, took] = [askedAt - startedAt, performance.now() - askedAt].map(Math.round)
      failures.push(`${init.method ?? 'GET'} ${input.pathname} at ${at} ms, ${took} ms: ${what}`)
    }
    try {
      const response = await undiciFetch(input, { ...init, dispatcher: pool })
      // Reads the whole body: a response that breaks off has failed.
      const bytes = await response.arrayBuffer()
      const { status } = response
      if (isLate(response, performance.now() - askedAt)) late += 1
      else if (status >= 400)
        note(`${status} ${Buffer.from(bytes).toString().replace(/\s+/g, ' ').slice(0, WORDS)}`)
      return new Response(EMPTY.has(status) ? null : bytes, {
        status,
        headers: [...response.headers],
      })
    } catch (error) {
      note(String(error instanceof Error ? (error.cause ?? error) : error))
      throw error
    }
  }
  return {
    send: send as unknown as typeof fetch,
    asked: () => asked,
    failures,
    late: () => late,
    close: () => pool.destroy(),
  }
}

/** A proxy's own 503 has no Retry-After. */
const isLate = (
  { status, headers }: { status: number; headers: { has: (name: string) => boolean } },
  ms: number,
) => status === 503 && headers.has('retry-after') && ms > LIMIT_MS
