import { Readable } from 'node:stream'
import { startRunningTimer } from '~/lib/running-time'
import { StorageUnavailable } from './port'

/** What a piece of work gets that has so much time between two signs of life. */
export type Limit = {
  /** Aborts when the time is over, or when the work has failed. */
  signal: AbortSignal
  /** Something moved: the time starts again. */
  progress: () => void
  /** Ends the work with this error. */
  fail: (error: Error) => void
}

/**
 * Does something that may take no longer than `ms`, counted from its last progress. Throws
 * StorageUnavailable when that is over, even while the work itself does not end.
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

/** The bytes of a stream; a slow reader is waited for, a silent sender only so long. */
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
