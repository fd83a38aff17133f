import type pg from 'pg'

/** What the driver says when its own clock ended a statement; the connection is still busy with it. */
const UNANSWERED = 'Query read timeout'

/** What graphile-worker waits up to two minutes after, at each failure of a kind longer. */
const LONG_PAUSES = new Set(['57P03', 'EHOSTUNREACH', 'ETIMEDOUT'])

/**
 * Closes each connection of a pool on which the server left a statement unanswered. The driver only
 * ends the wait: the next statement would get a connection that never answers.
 */
export function closeUnanswered(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    client.query = watching(client.query, (error) => {
      if (error.message === UNANSWERED) void client.end().catch(() => undefined)
    })
  })
}

/**
 * Makes the pool of graphile-worker fail where the queue would wait for minutes and then look again:
 * a runner that gives up is started again at once, so it works as soon as the database is back.
 */
export function failAtOnce(pool: pg.Pool): void {
  pool.connect = watching(pool.connect, (error) => {
    if ('code' in error && LONG_PAUSES.has(String(error.code))) {
      throw new Error(error.message, { cause: error })
    }
  })
}

/** The same function, except that `onError` sees the errors of its promises, and may throw others. */
const watching = <Ask extends (...args: never[]) => unknown>(
  ask: Ask,
  onError: (error: Error) => void,
): Ask =>
  new Proxy(ask, {
    apply: (target, self, args) => {
      const answer: unknown = Reflect.apply(target, self, args)
      if (!(answer instanceof Promise)) return answer
      return answer.catch((error: unknown) => {
        if (error instanceof Error) onError(error)
        throw error
      })
    },
  })
