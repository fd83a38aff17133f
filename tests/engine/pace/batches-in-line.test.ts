import { describe, expect } from 'vitest'
import sql from 'sql-template-tag'
import { lockUsers, stopUsers } from '../../../app/domain/administration/users/stop-users.server'
import { listBatchPage } from '../../../app/domain/batches/batch-list.server'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { getBatch, listBatches } from '../../../app/domain/batches/queries.server'
import { retryAllFailed } from '../../../app/domain/batches/retry-failed.server'
import { pauseBatch, resumeBatch } from '../../../app/domain/batches/steer-batch.server'
import { leaveLine, moveUpInLine } from '../../../app/domain/batches/steer-line.server'
import {
  editWaitingPrompt,
  listWaitingPrompts,
  removeWaitingPrompt,
} from '../../../app/domain/batches/waiting-prompts.server'
import type { UserCtx } from '../../../app/domain/context'
import { attempt, bulk, bulkOverDays, quotaOf } from '../../support/engine/actions'
import { playCalm } from '../../support/engine/make-video'
import { useEngine } from '../../support/engine/shared-engine'
import { slowTest, test } from '../../support/slow'

const engine = useEngine()
const HOUR_MS = 3_600_000

const inLine = (user: UserCtx, count: number) => bulkOverDays(user, count, { queue: true })

const statesOf = async (user: UserCtx) => {
  const batches = (await listBatches(user)).toReversed()
  return batches.map(({ status, inLine }) => (inLine ? `${status} ${inLine.place}` : status))
}

describe('batches in line', () => {
  test('cost nothing, hold five places, and start in their order when the one before has ended', async () => {
    playCalm(engine)
    const user = await engine.user({ plan: 'Business', video_limit: 12 })
    const first = await inLine(user, 3)
    // None is running, so it starts at once.
    expect(first).toMatchObject({ carried: 0 })
    expect(first.place).toBeUndefined()
    expect(await attempt(() => bulk(user, 1))).toBe('BATCH_RUNNING')
    const added = []
    for (let place = 1; place <= 5; place++) {
      const receipt = await inLine(user, 2)
      expect(receipt).toMatchObject({ place, carried: 2 })
      expect(Date.parse(receipt.startEstimate!)).toBeGreaterThan(await engine.clock.now())
      added.push(receipt)
    }
    // A time in line is not before the one ahead of it.
    const starts = added.map(({ startEstimate }) => startEstimate!)
    expect(starts).toEqual(starts.toSorted())
    expect(await attempt(() => inLine(user, 1))).toBe('CONFLICT')
    expect(await quotaOf(engine, user)).toMatchObject({ used: 3 })
    expect(await statesOf(user)).toEqual([
      'processing',
      ...[1, 2, 3, 4, 5].map((place) => `queued ${place}`),
    ])
    const [next, second, third, fourth, fifth] = added.map(({ batchId }) => batchId)
    expect(await attempt(() => pauseBatch(user, second!))).toBe('CONFLICT')
    await leaveLine(user, third!)
    for (const { id } of await listWaitingPrompts(user, fifth!))
      await removeWaitingPrompt(user, { batchId: fifth!, videoId: id })
    expect(await getBatch(user, fifth!)).toMatchObject({ status: 'completed', inLine: null })
    const [prompt] = await listWaitingPrompts(user, second!)
    await editWaitingPrompt(user, { batchId: second!, videoId: prompt!.id, prompt: 'changed' })
    expect(await inLine(user, 2)).toMatchObject({ place: 4 })
    await moveUpInLine(user, second!)
    expect(await getBatch(user, second!)).toMatchObject({ inLine: { place: 1 } })
    await moveUpInLine(user, second!)
    expect(await getBatch(user, next!)).toMatchObject({ inLine: { place: 2 } })
    const { batches } = await listBatchPage(user, null)
    expect(batches.map(({ gone }) => gone)).toEqual(batches.map(() => 0))
    // At the pace that the account has by then.
    await engine.pool.query('update users set speed_limit = 7 where id = $1', [user.actor.id])
    await engine.advance(6 * HOUR_MS)
    expect(await statesOf(user)).toEqual([
      ...[
        'completed',
        'completed',
        'completed',
        'cancelled',
        'completed',
        'completed',
        'completed',
      ],
    ])
    expect(await getBatch(user, second!)).toMatchObject({ completedVideos: 2, speedLimit: 7 })
    expect(await quotaOf(engine, user)).toMatchObject({ used: 11, reserved: 0 })
    const { rows } = await engine.pool.query<{ id: string }>(
      `select batch_id as id from rounds join batches on batches.id = batch_id
       where user_id = $1 order by fired_at`,
      [user.actor.id],
    )
    const order = [...new Set(rows.map(({ id }) => id))]
    const [last] = await listBatches(user)
    expect(order).toEqual([first.batchId, second, next, fourth, last?.id])
    expect(await attempt(() => leaveLine(user, second!))).toBe('CONFLICT')
  })

  test('a move up changes the places of one’s own batches, and nobody else’s', async () => {
    playCalm(engine)
    const lineOf = async () => {
      const user = await engine.user({ plan: 'Enterprise', video_limit: 5 })
      const added = [await inLine(user, 1), await inLine(user, 1), await inLine(user, 1)]
      return { user, last: added[2]!.batchId }
    }
    const [mine, theirs] = [await lineOf(), await lineOf()]
    expect(await attempt(() => moveUpInLine(mine.user, theirs.last))).toBe('NOT_FOUND')
    expect(await moveUpInLine(mine.user, mine.last)).toMatchObject({ inLine: { place: 1 } })
    expect(await statesOf(mine.user)).toEqual(['processing', 'queued 2', 'queued 1'])
    expect(await statesOf(theirs.user)).toEqual(['processing', 'queued 1', 'queued 2'])
    await engine.settle()
  })

  test('wait behind a pause, a disabled account and a spent day, and then go on by themselves', async () => {
    playCalm(engine)
    const user = await engine.user({ plan: 'Enterprise', video_limit: 2 })
    const { batchId } = await bulkOverDays(user, 3)
    const { batchId: next } = await inLine(user, 2)
    await engine.advance(HOUR_MS)
    await pauseBatch(user, batchId)
    expect((await getBatch(user, next)).inLine).toEqual({ place: 1, startEstimate: null })
    await engine.deps.db.transaction(async (tx) => {
      await lockUsers(tx, sql`id = ${user.actor.id}`)
      await tx.run(sql`update users set is_active = false where id = ${user.actor.id}`)
      await stopUsers(tx, [user.actor.id])
    })
    await engine.advance(30 * HOUR_MS)
    expect(await statesOf(user)).toEqual(['processing', 'queued 1'])
    await engine.pool.query('update users set is_active = true where id = $1', [user.actor.id])
    await resumeBatch(user, batchId)
    await engine.advance(HOUR_MS)
    // The day had a unit for the first prompt of the next batch as well.
    expect(await getBatch(user, batchId)).toMatchObject({ status: 'completed' })
    expect(await getBatch(user, next)).toMatchObject({
      status: 'processing',
      completedVideos: 1,
      carried: { prompts: 1, day: 2, days: 2 },
    })
    await engine.settle()
    expect(await getBatch(user, next)).toMatchObject({ status: 'completed', completedVideos: 2 })
  })

  slowTest(
    'none is left behind when a batch ends while others are added, moved and cancelled',
    async () => {
      for (let trial = 0; trial < 4; trial++) {
        playCalm(engine)
        const user = await engine.user({ plan: 'Enterprise', video_limit: 30 })
        const { batchId } = await bulk(user, 2)
        await engine.drain()
        const [next, other] = [await inLine(user, 1), await inLine(user, 1)]
        const ends = () => (trial % 2 === 0 ? engine.advance(90_000) : cancelBatch(user, batchId))
        const [, left, moved] = await Promise.all([
          attempt<unknown>(ends),
          attempt(() => leaveLine(user, next.batchId)),
          attempt(async () => {
            await moveUpInLine(user, other.batchId)
          }),
          attempt(() => inLine(user, 1)),
          attempt<unknown>(() => retryAllFailed(user)),
        ])
        expect([undefined, 'CONFLICT']).toContain(left)
        expect([undefined, 'CONFLICT']).toContain(moved)
        expect(await engine.violations()).toEqual({})
        const added = Array.from({ length: 6 }, () => attempt(() => inLine(user, 1)))
        await Promise.all(added)
        expect((await statesOf(user)).filter((state) => state.startsWith('queued'))).toHaveLength(5)
        engine.worker().killSwitch.killAfter(10 + 15 * trial)
        await engine.advance(HOUR_MS)
        await engine.restart()
        await engine.clock.move(61_000)
        await engine.sweep()
        await engine.advance(6 * HOUR_MS)
        expect(new Set(await statesOf(user))).toEqual(new Set(['completed', 'cancelled']))
        expect(await engine.violations()).toEqual({})
      }
    },
  )
})
