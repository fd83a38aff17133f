import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Throttle, Throttles } from './port'

type Rule = { name: string; tries: number; seconds: number }

/** Hashes a key, because the table's keys are short and user names may have any length. */
const digest = (key: string) => createHash('sha256').update(key).digest('base64url')

/**
 * Creates all throttles. `scale` multiplies the tries, for load tests that come from one address.
 */
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
          await limiter.consume(digest(key))
          return { ok: true }
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal
          return { ok: false, retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000) }
        }
      },
      giveBack: async (key) => {
        await limiter.reward(digest(key))
      },
    }
  }
  const [quarterHour, hour] = [15 * 60, 60 * 60]
  const rule = (name: string, tries: number, seconds: number) => throttle({ name, tries, seconds })
  return {
    signInByNameAndNetwork: rule('sign-in-name-network', 10, quarterHour),
    signInByNameAndBlock: rule('sign-in-name-block', 20, quarterHour),
    signInByNetwork: rule('sign-in-network', 50, quarterHour),
    signInByBlock: rule('sign-in-block', 200, quarterHour),
    signInByName: rule('sign-in-name', 100, hour),
    signInByDevice: rule('sign-in-device', 10, quarterHour),
    passwordByUser: rule('password', 10, quarterHour),
    codeByUser: rule('code', 10, hour),
    registrationByNetwork: rule('registration-network', 30, hour),
    registrationByBlock: rule('registration-block', 100, hour),
    claimByNetwork: rule('claim-network', 30, 24 * hour),
    redeemByNetwork: rule('redeem-network', 50, hour),
    redeemByUser: rule('redeem-user', 10, hour),
    rewriteByUser: rule('rewrite-user', 20, hour),
    notificationMailByUser: rule('notification-mail-user', 3, 24 * hour),
    notificationMailByAddress: rule('notification-mail-address', 3, 24 * hour),
    notificationTestByUser: rule('notification-test', 5, hour),
    notificationAddressByUser: rule('notification-address', 20, hour),
  }
}
