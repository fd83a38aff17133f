import { describe, expect, test } from 'vitest'
import { getBatch } from '../../../app/domain/batches/queries.server'
import { DEFAULT_PLANS } from '../../../app/domain/plans/catalogue'
import { dispatchWaiting } from '../../../app/domain/videos/engine/dispatch.server'
import { wakeHeld } from '../../../app/domain/videos/engine/held.server'
import { bulk, gapsOfRounds } from '../../support/engine/actions'
import { playCalm } from '../../support/engine/make-video'
import { useEngine } from '../../support/engine/shared-engine'

const PLAN_LIST = Object.values(DEFAULT_PLANS)

const engine = useEngine()

/**
 * `second` is rounded down to 15 s, of which the plans' delays are multiples. This hides the delay
 * of this machine.
 */
type Order = { second: number; lateMs: number }

/**
 * Returns when the provider received each order of a batch, relative to the acceptance of the
 * batch.
 */
async function submissions(batchId: string): Promise<Order[]> {
  const { rows } = await engine.pool.query<{ id: string; startedAt: Date }>(
    `select attempts.id, batches.created_at as "startedAt" from attempts
     join batches on batches.id = attempts.batch_id where batches.id = $1`,
    [batchId],
  )
  const start = rows[0]?.startedAt.getTime() ?? 0
  const own = new Set(rows.map(({ id }) => id))
  return engine.fake
    .entries()
    .filter(({ attemptId }) => attemptId !== null && own.has(attemptId))
    .map(({ at }) => ({ second: Math.floor((at - start) / 15_000) * 15, lateMs: at - start }))
}

describe('rounds', () => {
  test('U-BATCH-1: seven videos on Professional go out as 3, 3, 1 at 0, 60 and 120 seconds', async () => {
    const user = await engine.user({ plan: 'Professional' })
    const { batchId, speedLimit, delaySeconds } = await bulk(user, 7)
    expect({ speedLimit, delaySeconds }).toEqual({ speedLimit: 3, delaySeconds: 60 })
    await engine.advance(59_000)
    expect(await submissions(batchId)).toHaveLength(3)
    await engine.advance(121_000)
    expect((await submissions(batchId)).map(({ second }) => second)).toEqual([
      0, 0, 0, 60, 60, 60, 120,
    ])
  })

  test.each(PLAN_LIST.map(({ name, pace }) => [name, pace] as const))(
    'U-BATCH-2: %s keeps its pace over four rounds, from start to start, never early',
    async (plan, { videos, delaySeconds }) => {
      const user = await engine.user({ plan })
      const { batchId } = await bulk(user, 3 * videos + 1)
      await engine.advance(4 * delaySeconds * 1000)
      const sent = await submissions(batchId)
      const counts = [0, 1, 2, 3].map(
        (round) => sent.filter(({ second }) => second === round * delaySeconds).length,
      )
      expect(counts).toEqual([videos, videos, videos, 1])
      expect(sent).toHaveLength(3 * videos + 1)
      for (const gap of await gapsOfRounds(engine, batchId))
        expect(gap).toBeGreaterThanOrEqual(delaySeconds)
      await engine.settle()
    },
  )
})

describe('what delays rounds', () => {
  test('U-BATCH-1: rounds that were missed while no worker ran are not caught up in a burst', async () => {
    const user = await engine.user({ plan: 'Professional' })
    const { batchId } = await bulk(user, 12)
    await engine.drain()
    // No worker runs for ten minutes: three rounds are overdue.
    await engine.clock.move(600_000)
    await engine.advance(1)
    expect(await submissions(batchId)).toHaveLength(6)
    await engine.advance(58_000)
    expect(await submissions(batchId)).toHaveLength(6)
    await engine.advance(2_000)
    expect(await submissions(batchId)).toHaveLength(9)
    await engine.settle()
    for (const gap of await gapsOfRounds(engine, batchId)) expect(gap).toBeGreaterThanOrEqual(60)
  })

  test.each([
    ['between two rounds', 12],
    ['after the last round', 4],
  ])(
    'W-JOB-3: an order that turns out %s never to have been made awaits a round',
    async (_when, count) => {
      const SPEED = 2
      const DELAY_SECONDS = 120
      engine.fake.play({
        defaults: { generationMs: 60_000 },
        rules: [
          { when: { op: 'submit' }, times: 1, do: { fault: 'drop-before-accept' } },
          { when: { op: 'list' }, do: { status: 500 } },
        ],
      })
      const user = await engine.user({
        plan: 'Professional',
        speed_limit: SPEED,
        video_generation_speed: DELAY_SECONDS,
      })
      const { batchId } = await bulk(user, count)
      // The second round does not wait for the look-ups of the first any longer.
      await engine.advance(200_000)
      expect(await submissions(batchId)).toHaveLength(2 * SPEED - 1)
      playCalm(engine)
      await engine.settle()
      const sent = (await submissions(batchId)).map(({ lateMs }) => lateMs)
      expect(sent).toHaveLength(count)
      for (const [i, later] of sent.slice(SPEED).entries())
        expect(later - (sent[i] ?? NaN)).toBeGreaterThanOrEqual(DELAY_SECONDS * 1000)
      expect(await getBatch(user, batchId)).toMatchObject({
        status: 'completed',
        completedVideos: count,
      })
    },
  )

  test('W-JOB-3: an order whose refusal is written after a later round has fired awaits a round', async () => {
    engine.fake.play({
      defaults: { generationMs: 60_000 },
      rules: [
        { when: { op: 'submit' }, times: 1, do: { fault: 'drop-before-accept' } },
        { when: { op: 'list' }, do: { status: 500 } },
      ],
    })
    const user = await engine.user({ speed_limit: 2, video_generation_speed: 120 })
    const { batchId } = await bulk(user, 6)
    await engine.advance(200_000)
    // What a worker writes that received a refusal and was cut off from the database until now.
    await engine.pool.query(
      `with ended as (update attempts set state = 'failed', settled_at = engine_now()
         where batch_id = $1 and state = 'unknown' returning attempts as attempt)
       select requeue_generation(ended.attempt, 0, 'transient', 'stopped', 100, 100) from ended`,
      [batchId],
    )
    playCalm(engine)
    await dispatchWaiting(engine.deps)
    await engine.settle()
    const sent = (await submissions(batchId)).map(({ lateMs }) => lateMs)
    expect(sent).toHaveLength(6)
    for (const [i, later] of sent.slice(2).entries())
      expect(later - (sent[i] ?? NaN)).toBeGreaterThanOrEqual(120_000)
  })

  test('W-JOB-3: a round for a late order keeps its distance from one that was refused', async () => {
    const lookUpsFail = { when: { op: 'list' as const }, do: { status: 500 } }
    const submitting = (action: object, times?: number) =>
      engine.fake.play({
        defaults: { generationMs: 60_000 },
        rules: [{ when: { op: 'submit' }, do: action, ...(times && { times }) }, lookUpsFail],
      })
    submitting({ fault: 'drop-before-accept' }, 1)
    const user = await engine.user({ speed_limit: 2, video_generation_speed: 120 })
    const { batchId } = await bulk(user, 3)
    await engine.advance(100_000)
    submitting({ status: 400 })
    await engine.advance(100_000)
    playCalm(engine)
    await engine.settle()
    // The second round, which was refused, came 180 s after the first.
    const [, late] = await gapsOfRounds(engine, batchId)
    expect(late).toBeGreaterThanOrEqual(120)
    expect(await getBatch(user, batchId)).toMatchObject({ completedVideos: 2, failedVideos: 1 })
  })

  test('U-BATCH-2: with a delay of zero seconds rounds follow immediately', async () => {
    const user = await engine.user({ plan: 'Starter', video_generation_speed: 0, speed_limit: 2 })
    const { batchId } = await bulk(user, 8)
    await engine.drain()
    expect(await gapsOfRounds(engine, batchId)).toHaveLength(3)
    expect(await submissions(batchId)).toHaveLength(8)
    await engine.settle()
  })

  test('Q-10: a new pace of the plan applies from the next batch', async () => {
    const user = await engine.user({ plan: 'Professional' })
    const { batchId } = await bulk(user, 7)
    await engine.drain()
    await engine.pool.query(
      'update users set speed_limit = 10, video_generation_speed = 0 where id = $1',
      [user.actor.id],
    )
    await engine.advance(59_000)
    expect(await submissions(batchId)).toHaveLength(3)
    await engine.settle()
    expect(await gapsOfRounds(engine, batchId)).toHaveLength(2)
  })

  test('Q-40: the batch of an expired owner waits, and continues by itself after the renewal', async () => {
    const user = await engine.user({ plan: 'Professional' })
    const { batchId } = await bulk(user, 6)
    await engine.drain()
    const expire = (when: string) =>
      engine.pool.query(
        `update users set expiry_date = engine_now() + $2::interval where id = $1`,
        [user.actor.id, when],
      )
    await expire('-2 days')
    await engine.advance(300_000)
    expect(await submissions(batchId)).toHaveLength(3)
    expect((await getBatch(user, batchId)).finishEstimate).toBeNull()
    await expire('30 days')
    await engine.sweep()
    await engine.settle()
    expect(await submissions(batchId)).toHaveLength(6)
  })
})

describe('the finish estimate', () => {
  const leftMs = async (estimate: string | null) =>
    estimate === null ? NaN : Date.parse(estimate) - (await engine.clock.now())

  test('is within 15 s of the actual end', async () => {
    const user = await engine.user({ plan: 'Professional' })
    const { batchId, finishEstimate } = await bulk(user, 7)
    const promised = Date.parse(finishEstimate ?? '')
    await engine.settle()
    const { rows } = await engine.pool.query<{ at: Date }>(
      'select finished_at as at from batches where id = $1',
      [batchId],
    )
    expect(Math.abs((rows[0]?.at.getTime() ?? 0) - promised)).toBeLessThan(15_000)
  })

  test('is later while the provider is closed for an hour', async () => {
    const user = await engine.user({ plan: 'Professional' })
    const { batchId } = await bulk(user, 7)
    await engine.pool.query(
      `insert into provider_gates (scope, reason, closed_until, probe_ms)
       values ('service fake', 'quota', engine_now() + interval '1 hour', 3600000)`,
    )
    const { finishEstimate } = await getBatch(user, batchId)
    expect(await leftMs(finishEstimate)).toBeGreaterThan(3_600_000)
    await wakeHeld(engine.deps, 'quota')
    await engine.settle()
  })

  test('is empty once every video is finished', async () => {
    const user = await engine.user({ plan: 'Professional' })
    const { batchId } = await bulk(user, 2)
    await engine.settle()
    expect(await getBatch(user, batchId)).toMatchObject({
      status: 'completed',
      completedVideos: 2,
      failedVideos: 0,
      nextRoundAt: null,
      finishEstimate: null,
    })
  })
})
