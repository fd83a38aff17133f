import { hash, verify } from '@node-rs/argon2'
import { limitConcurrency } from '~/lib/limit-concurrency.server'
import { PasswordsBusy, type Passwords } from './port'

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane; about 10 ms here. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** So that a flood of sign-ins cannot take every core from the pages. */
const AT_ONCE = 2
/** About two seconds' work: more would only be answered when nobody waits for it any more. */
const MOST_WAITING = 200

/** Hashes of argon2id (the library's default algorithm). */
export function argon2Passwords(): Passwords {
  const turnstile = createTurnstile()
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

function createTurnstile() {
  const enter = limitConcurrency(AT_ONCE)
  let inside = 0
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (inside >= AT_ONCE + MOST_WAITING) throw new PasswordsBusy()
    inside++
    try {
      return await enter(task)
    } finally {
      inside--
    }
  }
}
