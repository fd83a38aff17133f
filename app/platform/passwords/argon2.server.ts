import { hash, verify } from '@node-rs/argon2'
import type { Passwords } from './port'

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane; about 10 ms here. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** So that a flood of sign-ins cannot take every core from the pages. */
const AT_ONCE = 2

/** Hashes of argon2id (the library's default algorithm). */
export function argon2Passwords(): Passwords {
  const turnstile = createTurnstile(AT_ONCE)
  let dummy: Promise<string> | undefined
  return {
    hash: (password) => turnstile(() => hash(password, COST)),
    verify: async (stored, password) => {
      dummy ??= hash('nobody has this password', COST)
      const against = stored ?? (await dummy)
      const matches = await turnstile(() => verify(against, password))
      return matches && stored !== null
    },
  }
}

/** Lets `limit` tasks run at once and the rest wait in order. */
function createTurnstile(limit: number) {
  const waiting: (() => void)[] = []
  let inside = 0
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (inside >= limit) await new Promise<void>((enter) => waiting.push(enter))
    else inside++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inside--
    }
  }
}
