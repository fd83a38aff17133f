import type pg from 'pg'
import { codeOf } from '~/lib/error-facts'

/**
 * The driver's message when its own timer expired. The connection is still busy with the statement.
 */
const TIMED_OUT = 'Query read timeout'

/**
 * Error codes after which graphile-worker backs off, up to two minutes, longer after each failure.
 */
const LONG_PAUSES = new Set(['57P03', 'EHOSTUNREACH', 'ETIMEDOUT'])

/**
 * Closes every connection of a pool on which a statement timed out without a response from the
 * server. The driver only stops waiting: without this, the next statement would get a connection
 * that hangs.
 */
export function closeTimedOut(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    client.query = watching(client.query, (error) => {
      if (error.message === TIMED_OUT) void client.end().catch(() => undefined)
    })
  })
}

/**
 * Makes graphile-worker's pool fail at once on errors after which the queue would back off for
 * minutes. A runner that fails is restarted immediately, so jobs run again as soon as the database
 * is available.
 */
export function failAtOnce(pool: pg.Pool): void {
  pool.connect = watching(pool.connect, (error) => {
    if (LONG_PAUSES.has(codeOf(error))) {
      throw new Error(error.message, { cause: error })
    }
  })
}

/**
 * Lets a caller that connects with a callback release its connection more than once; only the first
 * time counts. graphile-worker does so when the connection on which it is about to listen breaks
 * while its runner stops. The driver would throw, and graphile-worker does not handle that.
 */
export function releaseOnce(pool: pg.Pool): void {
  pool.connect = new Proxy(pool.connect, {
    apply: (connect, self, [callback]: unknown[]): unknown => {
      if (typeof callback !== 'function') return Reflect.apply(connect, self, [])
      const onConnect = (error: unknown, client: unknown, release: unknown) => {
        Reflect.apply(callback, undefined, [error, client, once(release)])
      }
      return Reflect.apply(connect, self, [onConnect])
    },
  })
}

/** Returns a function that calls `release` the first time and does nothing afterwards. */
function once(release: unknown): (...args: unknown[]) => void {
  let isReleased = false
  return (...args) => {
    if (isReleased || typeof release !== 'function') return
    isReleased = true
    Reflect.apply(release, undefined, args)
  }
}

/**
 * Wraps a function so that `onError` receives its promise's errors and may throw a different one.
 */
const watching = <Ask extends (...args: never[]) => unknown>(
  ask: Ask,
  onError: (error: Error) => void,
): Ask =>
  new Proxy(ask, {
    apply: (target, self, args) => {
      const result: unknown = Reflect.apply(target, self, args)
      if (!(result instanceof Promise)) return result
      return result.catch((error: unknown) => {
        if (error instanceof Error) onError(error)
        throw error
      })
    },
  })
