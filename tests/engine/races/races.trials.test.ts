import { expect, test } from 'vitest'
import { NO_TEXTS } from '../../../app/domain/videos/order-fields'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { attempt, bulk, generate, prompts, quotaOf } from '../../support/engine/actions'
import { openRng, SEED, trials } from '../../support/engine/trials'
import { mortalDb, newKillSwitch } from '../../support/engine/kill-switch'
import { useEngine } from '../../support/engine/shared-engine'
import { startBatch } from '../../../app/domain/batches/start-batch.server'

const engine = useEngine()

const count = async (table: string, userId: string) => {
  const { rows } = await engine.pool.query<{ n: number }>(
    `select count(*)::int as n from ${table} where user_id = $1`,
    [userId],
  )
  return rows[0]?.n
}

test(`F4: the web is killed at any point of a bulk submit of a hundred: all or nothing, and the same key returns the same batch (seed ${SEED})`, async () => {
  const rng = openRng(4)
  for (let trial = 0; trial < trials(100, 2000); trial++) {
    const user = await engine.user({ video_limit: 100 })
    const killSwitch = newKillSwitch()
    killSwitch.killAfter(1 + rng.below(26))
    const doomed = { ...user, db: mortalDb(user.db, killSwitch) }
    const input = { prompts: prompts(100), aspectRatio: 'portrait', ...NO_TEXTS } as const
    const response = await startBatch(doomed, input, 'k').catch(() => undefined)
    const before = await count('batches', user.actor.id)
    const videos = await count('videos', user.actor.id)
    expect([0, 100]).toContain(videos)
    expect([before, (await quotaOf(engine, user)).used]).toEqual([videos! / 100, videos])
    const again = await startBatch(user, input, 'k')
    if (response) expect(again).toEqual(response)
    expect(await count('batches', user.actor.id)).toBe(1)
    expect(await count('videos', user.actor.id)).toBe(100)
    await cancelBatch(user, again.batchId)
  }
})

test('F17: twenty concurrent orders with one key: one batch, one charge, one response', async () => {
  for (let trial = 0; trial < trials(100, 5000); trial++) {
    const user = await engine.user({ video_limit: 100 })
    const responses = await Promise.all(Array.from({ length: 20 }, () => bulk(user, 2, 'k')))
    expect(new Set(responses.map(({ batchId }) => batchId)).size).toBe(1)
    expect((await quotaOf(engine, user)).used).toBe(2)
    await cancelBatch(user, responses[0]!.batchId)
  }
})

/** Users who run out of quota at the same time. */
const SHORT_AT_ONCE = 5

test('F18: five users, each with one unit left and fifty concurrent orders: exactly one order of each is accepted', async () => {
  for (let left = trials(100, 5000); left > 0; left -= SHORT_AT_ONCE) {
    const users = await Promise.all(
      Array.from({ length: Math.min(SHORT_AT_ONCE, left) }, () => engine.user({ video_limit: 1 })),
    )
    const responses = await Promise.all(
      users.map((user) =>
        Promise.all(Array.from({ length: 50 }, () => attempt(() => generate(user)))),
      ),
    )
    for (const [i, user] of users.entries()) {
      expect(responses[i]?.filter((response) => response === 'QUOTA_EXCEEDED')).toHaveLength(49)
      expect(await quotaOf(engine, user)).toMatchObject({ used: 1, lines: { reserved: 1 } })
    }
  }
})

test(`F22: a batch is cancelled while its rounds go out: no order is sent after the response (seed ${SEED})`, async () => {
  const rng = openRng(22)
  for (let trial = 0; trial < trials(100, 5000); trial++) {
    const user = await engine.user({ video_limit: 100, speed_limit: 2, video_generation_speed: 0 })
    const { batchId } = await bulk(user, 4)
    const sentFor = async () => {
      const { rows } = await engine.pool.query<{ n: number }>(
        'select count(*)::int as n from attempts where batch_id = $1',
        [batchId],
      )
      return rows[0]?.n ?? 0
    }
    // A different moment in every trial.
    for (let steps = rng.below(3); steps > 0; steps--) await engine.worker().step()
    const going = engine.drain()
    for (let turns = rng.below(12); turns > 0; turns--) await new Promise(setImmediate)
    const response = await attempt(() => cancelBatch(user, batchId))
    const sent = await sentFor()
    await going
    if (response === 'CONFLICT') continue
    await engine.drain()
    expect(await sentFor()).toBe(sent)
    const { rows } = await engine.pool.query<{ status: string; n: number }>(
      'select status, count(*)::int as n from videos where batch_id = $1 group by status',
      [batchId],
    )
    expect(rows.find(({ status }) => status === 'error')?.n ?? 0).toBe(4 - sent)
  }
  await engine.settle()
})
