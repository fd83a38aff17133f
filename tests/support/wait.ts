import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Calls `ask` until its result is neither undefined, null nor false. Rejects when that takes too
 * long.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  timeoutMs = 240_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  let last: unknown
  while (performance.now() < deadline) {
    try {
      const response = await ask()
      if (response !== undefined && response !== null && response !== false) return response
    } catch (error) {
      last = error
    }
    await sleep(25)
  }
  throw new Error(`gave up waiting for ${what}`, { cause: last })
}
