/**
 * Runs work and returns its result. Once the signal is aborted, throws the error of `why` instead: at
 * once, without starting the work, or later, while the work continues for others who wait for it.
 */
export async function abortable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  why: () => Error,
): Promise<T> {
  if (signal.aborted) throw why()
  const end = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(why()), { signal: end.signal })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    end.abort()
  }
}
