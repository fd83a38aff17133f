import { limitConcurrency } from '~/lib/limit-concurrency.server'

/**
 * Runs reads of thousands of rows one at a time per web process, in order of arrival, so that five
 * of them slow down other requests no more than one does (decision 6).
 */
export const heavyReads = limitConcurrency(1)

/**
 * Yields the same pieces, but reads each through `heavyReads`. A file is sent as fast as its client
 * receives it. Between two pieces other readers get their turn, so a slow client does not block
 * them.
 */
export async function* oneAtATime<Piece>(pieces: AsyncIterator<Piece>): AsyncGenerator<Piece> {
  try {
    for (;;) {
      const next = await heavyReads(() => pieces.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    await pieces.return?.()
  }
}
