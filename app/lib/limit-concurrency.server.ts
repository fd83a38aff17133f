/**
 * Runs at most `places` functions at once; the others wait in the order they came. For what is heavy, so
 * that what is light is not kept waiting by it.
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
      // The place is handed on, so nobody who comes now takes it first.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
