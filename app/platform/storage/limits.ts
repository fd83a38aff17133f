import { Readable } from 'node:stream'
import { startRunningTimer } from '~/lib/running-time'
import { StorageUnavailable } from './port'

/** Passed to work that runs under a time limit between two steps of progress. */
export type Limit = {
  /** Aborts when the limit expires or the work has failed. */
  signal: AbortSignal
  /** Reports progress, which restarts the timer. */
  progress: () => void
  /** Fails the work with this error. */
  fail: (error: Error) => void
}

/**
 * Runs work under a limit of `ms` since its last progress. Throws StorageUnavailable when the limit
 * expires, even if the work itself never settles.
 */
export function limited<T>(ms: number, work: (limit: Limit) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      reject(error)
      controller.abort(error)
    }
    const timer = startRunningTimer(ms, () => fail(silence(ms)))
    work({ signal: controller.signal, progress: timer.restart, fail })
      .then(resolve, reject)
      .finally(timer.stop)
  })
}

const silence = (ms: number) => new StorageUnavailable(`nothing came for ${ms / 1000} s`)

/** Returns the bytes of a stream. The sender may be silent for `ms`; a slow reader has no limit. */
export function withIdleLimit(
  body: Readable,
  ms: number,
  errorOf: (error: unknown) => unknown,
): Readable {
  return Readable.from(pieces(body, ms, errorOf), { objectMode: false })
}

async function* pieces(
  body: Readable,
  ms: number,
  errorOf: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer, undefined> = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const timer = startRunningTimer(ms, () => body.destroy(silence(ms)))
      const next = await chunks.next().finally(timer.stop)
      if (next.done === true) return
      yield next.value
    }
  } catch (error) {
    throw errorOf(error)
  } finally {
    body.destroy()
  }
}
