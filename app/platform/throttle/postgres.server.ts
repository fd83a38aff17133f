import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Throttle, Throttles } from './port'

type Rule = { name: string; tries: number; seconds: number }

/** `scale` multiplies every number of tries; load tests come from one address. */
export function postgresThrottles(pool: pg.Pool, scale: number): Throttles {
  const throttle = ({ name, tries, seconds }: Rule): Throttle => {
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'throttles',
      tableCreated: true,
      keyPrefix: name,
      points: Math.max(1, Math.round(tries * scale)),
      duration: seconds,
      clearExpiredByTimeout: false,
    })
    return {
      take: async (key) => {
        try {
          await limiter.consume(key)
          return { ok: true }
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal
          return { ok: false, retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000) }
        }
      },
      giveBack: async (key) => {
        await limiter.reward(key)
      },
    }
  }
  const quarterHour = 15 * 60
  return {
    signInByName: throttle({ name: 'sign-in-name', tries: 10, seconds: quarterHour }),
    signInByAddress: throttle({ name: 'sign-in-address', tries: 50, seconds: quarterHour }),
    registrationByAddress: throttle({ name: 'registration', tries: 30, seconds: 60 * 60 }),
  }
}
