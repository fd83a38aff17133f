import { describe, expect, test } from 'vitest'
import { getQuota } from '../../../app/domain/quota/queries.server'
import { generate } from '../../support/engine/actions'
import { useEngine } from '../../support/engine/shared-engine'

const engine = useEngine()

describe('the day of PLATFORM_TIMEZONE (Q-5)', () => {
  test.each([
    ['Asia/Karachi', '2027-02-10'],
    ['America/St_Johns', '2027-02-11'],
    ['America/New_York', '2027-03-14'],
    ['America/New_York', '2027-11-07'],
    ['UTC', '2028-02-29'],
  ])('%s: a full day ends at midnight there (%s)', async (timeZone, day) => {
    const settings = { ...engine.deps.settings, timeZone }
    const user = { ...(await engine.user({ video_limit: 1 })), settings }
    const { rows } = await engine.pool.query<{ ms: number }>(
      `select extract(epoch from ($1::date + 1)::timestamp at time zone $2)::float * 1000 as ms`,
      [day, timeZone],
    )
    await engine.clock.moveTo((rows[0]?.ms ?? 0) - 30_000)
    await generate(user)
    const refusal = await generate(user).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'QUOTA_EXCEEDED' })
    const wait = (refusal as { retryAfterSeconds: number }).retryAfterSeconds
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(30)
    await engine.clock.move(31_000)
    await generate(user)
    const view = await getQuota(engine.deps.db, { userId: user.actor.id, limit: 1, timeZone })
    const isNewMonth = day.slice(5) === '02-29'
    expect(view).toMatchObject({ used: 1, usedThisMonth: isNewMonth ? 1 : 2, timeZone })
    await engine.settle()
  })
})
