import { describe, expect } from 'vitest'
import {
  regenerateAll,
  regenerateSelected,
} from '../../../app/domain/batches/regenerate-as-admin.server'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import type { UserCtx } from '../../../app/domain/context'
import { addPoolToken } from '../../../app/domain/tokens/pool.server'
import { ADVISORY_LOCKS } from '../../../app/platform/db/locks'
import { attempt, bulk, generate, quotaOf, videosOf } from '../../support/engine/actions'
import { useFreshEngine } from '../../support/engine/shared-engine'
import { slowTest, test } from '../../support/slow'

const { engine, start } = useFreshEngine()

/** Returns the owners of the orders, in the order in which they went out. */
async function sentInOrder(): Promise<string[]> {
  const { rows } = await engine.pool.query<{ id: string; userId: string }>(
    'select id, user_id as "userId" from attempts',
  )
  const owner = new Map(rows.map(({ id, userId }) => [id, userId]))
  return engine.fake.entries().map(({ attemptId }) => owner.get(attemptId ?? '') ?? '')
}

describe('turns', () => {
  test('Q-8: singles go out beside a batch, at most one round of them at a time, and the rest follow by themselves', async () => {
    await start()
    const user = await engine.user({ plan: 'Professional' })
    await bulk(user, 6)
    for (let i = 0; i < 5; i++) await generate(user)
    await engine.drain()
    expect(engine.fake.entries()).toHaveLength(3 + 3)
    // Places become free when the first singles are finished, a minute later.
    await engine.advance(40_000)
    expect(engine.fake.entries()).toHaveLength(6)
    await engine.settle()
    expect((await videosOf(engine, user)).map(({ status }) => status)).toEqual(
      Array.from({ length: 11 }, () => 'completed'),
    )
  })

  test('users take turns: a user with one video does not wait behind another user’s ten', async () => {
    await start({ env: { PLATFORM_MAX_IN_FLIGHT: '1' } })
    const crowd = await engine.user({ plan: 'Enterprise' })
    for (let i = 0; i < 6; i++) await generate(crowd)
    const guest = await engine.user()
    await generate(guest)
    await engine.settle()
    const order = await sentInOrder()
    expect(order.indexOf(guest.actor.id)).toBeLessThanOrEqual(2)
  })

  test('singles go before batches', async () => {
    await start({ env: { PLATFORM_MAX_IN_FLIGHT: '1' } })
    const batcher = await engine.user({ plan: 'Enterprise' })
    await bulk(batcher, 5)
    await engine.drain()
    const single = await engine.user()
    await generate(single)
    await engine.settle()
    expect((await sentInOrder()).indexOf(single.actor.id)).toBe(1)
  })

  test('W-LINE: a single uses the extra place that a provider reserves for singles', async () => {
    await start({
      can: { maxInFlight: 1, extraForSingles: 1 },
      scenario: { defaults: { generationMs: 60_000 } },
    })
    const batcher = await engine.user({ plan: 'Enterprise' })
    await bulk(batcher, 3)
    await engine.drain()
    const single = await engine.user({ plan: 'Enterprise' })
    for (let i = 0; i < 2; i++) await generate(single)
    await engine.drain()
    // One place for all orders and one more for singles. The second single waits its turn.
    expect(await sentInOrder()).toEqual([batcher.actor.id, single.actor.id])
    await engine.settle()
    expect((await sentInOrder()).indexOf(single.actor.id, 2)).toBe(2)
  })

  test('W-LINE: a process that finds the line locked releases its connection and tries again later', async () => {
    await start()
    const user = await engine.user()
    const other = await engine.pool.connect()
    try {
      await other.query('begin')
      await other.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.dispatch])
      await generate(user)
      await engine.drain()
      expect(engine.fake.entries()).toHaveLength(0)
    } finally {
      await other.query('commit')
      other.release()
    }
    await engine.advance(1_000)
    expect(engine.fake.entries()).toHaveLength(1)
  })

  slowTest(
    'Q-55: no user has more than ten rounds under way, and the platform never exceeds its cap',
    async () => {
      await start({
        env: { PLATFORM_MAX_IN_FLIGHT: '25' },
        scenario: { defaults: { generationMs: 120_000 } },
      })
      const slow = await engine.user({
        plan: 'Starter',
        video_limit: 40,
        video_generation_speed: 0,
      })
      await bulk(slow, 30)
      await engine.drain()
      expect(engine.fake.entries()).toHaveLength(10)
      const many = await engine.user({ plan: 'Enterprise' })
      await bulk(many, 40)
      await engine.advance(60_000)
      expect(engine.fake.entries()).toHaveLength(25)
      await engine.settle()
      expect(engine.fake.entries()).toHaveLength(70)
    },
  )
})

describe('an administrator’s regeneration (Q-21)', () => {
  async function prepared() {
    await start({
      env: { PLATFORM_MAX_IN_FLIGHT: '1' },
      can: { needsCredential: true },
    })
    const admin = await engine.admin()
    await addPoolToken(admin, 'pool-token-0001')
    const { id } = await addPoolToken(admin, 'admin-token-0001')
    await engine.pool.query('update users set credential_id = $1 where id = $2', [
      id,
      admin.actor.id,
    ])
    await engine.pool.query('update credentials set pool_position = null where id = $1', [id])
    const owner = await engine.user({ plan: 'Enterprise' })
    for (let i = 0; i < 3; i++) await generate(owner)
    await engine.settle()
    return { admin, owner }
  }
  const tokensOf = (from: number) =>
    engine.fake
      .calls()
      .filter(({ op }) => op === 'submit')
      .slice(from)
      .map(({ token }) => token)
  const ids = async (owner: UserCtx) => (await videosOf(engine, owner)).map(({ id }) => id)

  test('A-VID-14: selected videos are made with the administrator’s token, marked, and cost their owner nothing', async () => {
    const { admin, owner } = await prepared()
    const quota = await quotaOf(engine, owner)
    const sent = engine.fake.entries().length
    const [first = '', second = ''] = await ids(owner)
    const response = await regenerateSelected(admin, [first, second, 'none'])
    expect(response).toMatchObject({ count: 2, message: '2 videos queued for regeneration.' })
    await engine.settle()
    expect(tokensOf(sent)).toEqual(['admin-token-0001', 'admin-token-0001'])
    const videos = await videosOf(engine, owner)
    expect(videos.map((v) => [v.status, v.regeneratedByAdmin, v.regenerateCount])).toEqual([
      ['completed', true, 1],
      ['completed', true, 1],
      ['completed', false, 0],
    ])
    expect(await quotaOf(engine, owner)).toEqual(quota)
    expect(await attempt(() => regenerateSelected(admin, ['none']))).toBe('BAD_INPUT')
  })

  test('A-VID-14: a regeneration of everything goes behind all users’ own work and can be stopped', async () => {
    const { admin, owner } = await prepared()
    await regenerateAll(admin)
    await engine.drain()
    // One is under way, and the cap is one. Orders that come now go first.
    await bulk(owner, 2)
    await generate(owner)
    const sent = engine.fake.entries().length
    await engine.settle()
    expect(tokensOf(sent).slice(0, 3)).not.toContain('admin-token-0001')
    expect((await videosOf(engine, owner)).map(({ status }) => status)).toEqual(
      Array.from({ length: 6 }, () => 'completed'),
    )
    const again = await regenerateAll(admin)
    await engine.drain()
    await cancelBatch(admin, again.batchId)
    await engine.settle()
    for (const video of await videosOf(engine, owner)) {
      expect(video).toMatchObject({ status: 'completed', errorCode: null })
    }
  })
})
