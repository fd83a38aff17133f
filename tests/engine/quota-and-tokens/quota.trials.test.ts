import { describe, expect, test } from 'vitest'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { retryAllFailed } from '../../../app/domain/batches/retry-failed.server'
import type { UserCtx } from '../../../app/domain/context'
import { getQuota } from '../../../app/domain/quota/queries.server'
import { resetCounters } from '../../../app/domain/quota/reset-counters.server'
import { deleteVideo } from '../../../app/domain/videos/requests/delete-videos.server'
import {
  editVideo,
  regenerateVideo,
  retryVideo,
} from '../../../app/domain/videos/requests/redo-video.server'
import { attempt, bulk, generate, quotaOf, videosOf } from '../../support/engine/actions'
import { openRng, SEED, trials, type Rng } from '../../support/engine/trials'
import { playCalm } from '../../support/engine/make-video'
import { useEngine } from '../../support/engine/shared-engine'

const engine = useEngine()

const reset = (user: UserCtx) =>
  engine.deps.db.transaction((tx) =>
    resetCounters(tx, { timeZone: 'UTC', actorName: 'Rida', userId: user.actor.id }),
  )
const figures = ({ actor }: UserCtx, limit = 20) =>
  getQuota(engine.deps.db, { userId: actor.id, limit, timeZone: 'UTC' })

/** Orders fail whose prompts contain "refused". */
const SOME_FAIL = {
  defaults: { generationMs: 60_000 },
  rules: [{ when: { op: 'submit', promptIncludes: 'refused' }, do: { outcome: 'filtered' } }],
} as const

async function delivered(user: UserCtx): Promise<string> {
  const { id } = await generate(user)
  await engine.settle()
  return id
}

async function failed(user: UserCtx): Promise<string> {
  engine.fake.play({ ...SOME_FAIL, rules: [...SOME_FAIL.rules] })
  const { id } = await generate(user, 'refused')
  await engine.settle()
  playCalm(engine)
  return id
}

describe('each unit is settled once (Q-6)', () => {
  test('a delivered video is charged, and one in progress is already counted (Q-31)', async () => {
    const user = await engine.user()
    await generate(user)
    expect(await figures(user)).toMatchObject({ used: 1, inProgress: 1, remaining: 19 })
    await engine.settle()
    expect(await quotaOf(engine, user)).toEqual({
      used: 1,
      reserved: 0,
      charged: 1,
      lines: { charged: 1 },
    })
  })

  test('W-JOB-4: two 503 responses and then a clip: the user sees no failure, and one unit is charged', async () => {
    const user = await engine.user()
    engine.fake.play({
      defaults: { generationMs: 60_000 },
      rules: [{ when: { op: 'submit' }, times: 2, do: { status: 503 } }],
    })
    await delivered(user)
    const [video] = await videosOf(engine, user)
    expect(video).toMatchObject({ status: 'completed', errorCode: null, regenerateCount: 0 })
    expect(await quotaOf(engine, user)).toMatchObject({ used: 1, lines: { charged: 1 } })
  })

  test('a refusal by the safety rules is an error with a plain message and returns the unit', async () => {
    const user = await engine.user()
    await failed(user)
    const [video] = await videosOf(engine, user)
    expect(video).toMatchObject({ status: 'error', errorCode: 'policy', fileKey: null })
    expect(video?.errorMessage).toMatch(/^The prompt was refused by the safety rules/)
    expect(video?.errorMessage).not.toMatch(/raw words|58061214/)
    expect(await quotaOf(engine, user)).toMatchObject({ used: 0, lines: { returned: 1 } })
  })

  test('retry, regenerate and edit use one unit each', async () => {
    const user = await engine.user()
    const broken = await failed(user)
    await retryVideo(user, broken)
    await engine.settle()
    await regenerateVideo(user, broken)
    await editVideo(user, { id: broken, prompt: 'another' })
    await engine.settle()
    expect(await quotaOf(engine, user)).toMatchObject({
      used: 3,
      lines: { returned: 1, charged: 3 },
    })
    const { rows } = await engine.pool.query<{ reason: string }>(
      'select reason from quota_charges where user_id = $1 order by created_at, generation',
      [user.actor.id],
    )
    expect(rows.map(({ reason }) => reason).sort()).toEqual([
      'edit',
      'generate',
      'regenerate',
      'retry',
    ])
  })

  test('Q-32: deleting a waiting video returns its unit, deleting one that is being made or finished does not', async () => {
    const user = await engine.user({ speed_limit: 1 })
    const { id: running } = await generate(user)
    await engine.drain()
    const { id: waiting } = await generate(user)
    await deleteVideo(user, waiting)
    await deleteVideo(user, running)
    expect(await quotaOf(engine, user)).toMatchObject({ used: 1, reserved: 1 })
    await engine.settle()
    await deleteVideo(user, await delivered(user))
    expect(await quotaOf(engine, user)).toMatchObject({
      used: 2,
      reserved: 0,
      lines: { returned: 1, charged: 2 },
    })
  })
})

test('U-BATCH-5: stopping a batch returns the units of what was not sent; what was sent is made and charged', async () => {
  playCalm(engine)
  const user = await engine.user({ speed_limit: 3, video_generation_speed: 60 })
  const { batchId } = await bulk(user, 5)
  await engine.advance(5_000)
  await cancelBatch(user, batchId)
  expect((await quotaOf(engine, user)).lines).toEqual({ reserved: 3, returned: 2 })
  await engine.settle()
  expect((await quotaOf(engine, user)).lines).toEqual({ charged: 3, returned: 2 })
})

describe('day, month and reset', () => {
  test('Q-56: a reset by a named administrator frees today and this month; later settlements change nothing', async () => {
    const user = await engine.user({ video_limit: 3 })
    await delivered(user)
    await generate(user)
    await generate(user, 'refused')
    expect(await attempt(() => generate(user))).toBe('QUOTA_EXCEEDED')
    expect(await reset(user)).toMatchObject([{ units: 3, monthUnits: 3 }])
    expect(await figures(user, 3)).toMatchObject({ used: 0, usedThisMonth: 0, remaining: 3 })
    engine.fake.play({ ...SOME_FAIL, rules: [...SOME_FAIL.rules] })
    await engine.settle()
    expect(await figures(user, 3)).toMatchObject({ used: 0, inProgress: 0, usedThisMonth: 0 })
    const { rows } = await engine.pool.query<Record<string, unknown>>(
      'select units, month_units, reason, actor_name from quota_adjustments where user_id = $1',
      [user.actor.id],
    )
    expect(rows).toEqual([{ units: 3, month_units: 3, reason: 'reset', actor_name: 'Rida' }])
    expect(await reset(user)).toEqual([])
  })

  test('Q-53: a lower limit applies at once, and what was used stays', async () => {
    const user = await engine.user({ video_limit: 5 })
    await bulk(user, 4)
    await engine.pool.query('update users set video_limit = 2 where id = $1', [user.actor.id])
    expect(await attempt(() => generate(user))).toBe('QUOTA_EXCEEDED')
    expect(await figures(user, 2)).toMatchObject({ used: 4, remaining: 0 })
    await engine.settle()
  })

  test(`F19: the day ends and an administrator resets while orders come and clips arrive (seed ${SEED})`, async () => {
    const rng = openRng(19)
    for (let trial = 0; trial < trials(100, 2000); trial++) {
      const user = await engine.user({ video_limit: 4, speed_limit: 10 })
      await toMidnight(-30_000)
      await Promise.all([1, 2].map(() => attempt(() => generate(user))))
      await engine.drain()
      const actions = [
        ...Array.from({ length: 4 }, () => () => attempt(() => generate(user))),
        () => reset(user),
        () => engine.clock.move(20_000 + rng.below(60_000)),
        () => engine.drain(),
      ]
      await Promise.all(shuffled(actions, rng).map((act) => act()))
      const { used } = await quotaOf(engine, user)
      expect(used).toBeLessThanOrEqual(4)
      if (trial % 20 === 0) expect(await engine.violations()).toEqual({})
    }
    await engine.settle()
  })
})

/** Moves the clock to `offsetMs` after the next midnight, or before it if negative. */
async function toMidnight(offsetMs: number, zone = 'UTC'): Promise<void> {
  const { rows } = await engine.pool.query<{ ms: number }>(
    `select extract(epoch from ((engine_now() at time zone $1)::date + 1)::timestamp at time zone $1)::float * 1000 as ms`,
    [zone],
  )
  await engine.clock.moveTo((rows[0]?.ms ?? 0) + offsetMs)
}

const shuffled = <T>(list: readonly T[], rng: Rng): T[] =>
  list
    .map((item) => ({ item, at: rng.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)

test(`U-QUOTA-4: concurrent orders, retries, deletions and cancellations: ledger and limit hold (seed ${SEED})`, async () => {
  const rng = openRng(40)
  for (let trial = 0; trial < trials(25, 250); trial++) {
    engine.fake.play({
      defaults: { generationMs: [1, 30_000] },
      seed: trial,
      rules: [...SOME_FAIL.rules],
    })
    const user = await engine.user({ video_limit: 8, speed_limit: 3, video_generation_speed: 1 })
    await Promise.all([generate(user), generate(user, 'refused'), generate(user, 'refused')])
    await engine.advance(60_000)
    const ids = (await videosOf(engine, user)).map(({ id }) => id)
    const actions = Array.from({ length: 30 }, () =>
      rng.pick([
        () => generate(user, rng.pick(['a', 'refused'])),
        () => bulk(user, 1 + rng.below(5)),
        () => retryVideo(user, rng.pick(ids)),
        () => regenerateVideo(user, rng.pick(ids)),
        () => editVideo(user, { id: rng.pick(ids), prompt: 'edited' }),
        () => retryAllFailed(user),
        () => deleteVideo(user, rng.pick(ids)),
        () => cancelOwn(user),
      ]),
    )
    await Promise.all([...actions.map((act) => attempt<unknown>(act)), engine.drain()])
    expect((await quotaOf(engine, user)).used).toBeLessThanOrEqual(8)
    await engine.settle()
    const { lines } = await quotaOf(engine, user)
    expect(await allDays(user)).toEqual({ reserved: 0, charged: lines.charged ?? 0 })
  }
})

/** Returns the counters of all days: the clock may have passed midnight. */
async function allDays({ actor }: UserCtx): Promise<unknown> {
  const { rows } = await engine.pool.query(
    `select sum(reserved)::int as reserved, sum(charged)::int as charged from quota_days where user_id = $1`,
    [actor.id],
  )
  return rows[0]
}

async function cancelOwn(user: UserCtx): Promise<unknown> {
  const { rows } = await engine.pool.query<{ id: string }>(
    `select id from batches where user_id = $1 and status = 'processing'`,
    [user.actor.id],
  )
  return rows[0] && cancelBatch(user, rows[0].id)
}
