import { fetch as undiciFetch, Pool, type RequestInit as UndiciInit } from 'undici'

/** The way in through a proxy, over connections that are kept, as browsers keep them. */
export type Front = {
  /** Like Node's fetch; every request that was not answered as it should be is noted. */
  send: typeof fetch
  asked: () => number
  /** What went wrong, one line of words for each request. */
  failures: readonly string[]
  /** Requests that the product gave up after a limit: this machine is too busy with other work. */
  late: () => number
  close: () => Promise<void>
}

/** As many as a few busy browsers keep. */
const CONNECTIONS = 32
/** Below the shortest limit for which the product waits, a connection to the database. */
const LIMIT_MS = 1_400
/** How much of an answer is told when it was a refusal. */
const WORDS = 120
/** Answers that must not have a body. */
const EMPTY = new Set([204, 205, 304])

/** Opens it at an address of this machine whose host the proxy's configuration names. */
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
      const answer = await undiciFetch(input, { ...init, dispatcher: pool })
      // Read whole: one that breaks off has failed.
      const bytes = await answer.arrayBuffer()
      const { status } = answer
      if (isLate(answer, performance.now() - askedAt)) late += 1
      else if (status >= 400)
        note(`${status} ${Buffer.from(bytes).toString().replace(/\s+/g, ' ').slice(0, WORDS)}`)
      return new Response(EMPTY.has(status) ? null : bytes, {
        status,
        headers: [...answer.headers],
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

/** A proxy's own 503 names no time at which to ask again. */
const isLate = (
  { status, headers }: { status: number; headers: { has: (name: string) => boolean } },
  ms: number,
) => status === 503 && headers.has('retry-after') && ms > LIMIT_MS
