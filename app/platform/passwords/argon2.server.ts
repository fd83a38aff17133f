import { hash, verify } from '@node-rs/argon2'
import { limitConcurrency } from '~/lib/limit-concurrency.server'
import { PasswordsBusy, type Passwords } from './port'

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane; about 10 ms here. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * The number of hashes computed concurrently. It leaves processor cores for pages during a flood of
 * sign-ins.
 */
const AT_ONCE = 2
/**
 * The most calls that may wait: about two seconds' work. Clients would give up before a later
 * result.
 */
const MOST_WAITING = 200

/** Hashes and verifies passwords with argon2id (the library's default algorithm). */
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
