import { limitConcurrency } from '~/lib/limit-concurrency.server'

/**
 * What reads thousands of rows: a web process does one of them at a time, in the order they were asked
 * for, so that five of them are no worse for everybody else than one (decision 45).
 */
export const heavyReads = limitConcurrency(1)

/**
 * The same pieces, each read in its turn. A file goes out as fast as its reader takes it; between two
 * pieces the others have theirs, and a reader who is slow keeps nobody waiting.
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
