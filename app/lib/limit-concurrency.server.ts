/**
 * Returns a function that runs at most `places` functions at once; the others wait in order of
 * arrival. Use it for heavy work, so that it does not delay light work.
 */
export function limitConcurrency(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = places
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place is passed on directly, so that a new caller cannot take it first.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
