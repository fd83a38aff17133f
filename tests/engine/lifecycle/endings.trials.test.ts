import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import sql from 'sql-template-tag'
import {
  lockUsers,
  stopUsers,
  trashUsers,
} from '../../../app/domain/administration/users/stop-users.server'
import { retryAllFailed } from '../../../app/domain/batches/retry-failed.server'
import type { UserCtx } from '../../../app/domain/context'
import { getQuota } from '../../../app/domain/quota/queries.server'
import { restoreSelected } from '../../../app/domain/videos/admin/trash.server'
import { deleteVideo } from '../../../app/domain/videos/requests/delete-videos.server'
import { FAILURE_TEXT, REGENERATION_STOPPED } from '../../../app/domain/videos/rules'
import { regenerateVideo, retryVideo } from '../../../app/domain/videos/requests/redo-video.server'
import { attempt, bulk, generate, quotaOf, roundsOf, videosOf } from '../../support/engine/actions'
import { openRng, SEED, trials } from '../../support/engine/trials'
import { useFreshEngine } from '../../support/engine/shared-engine'

const { engine, start } = useFreshEngine()
beforeEach(() => start({ scenario: { defaults: { generationMs: [1_000, 60_000] } } }))
afterEach(() => vi.useRealTimers())

const turns = async (count: number) => {
  for (let left = count; left > 0; left--) await new Promise(setImmediate)
}

async function ordersOf({ actor }: UserCtx): Promise<number> {
  const { rows } = await engine.pool.query<{ n: number }>(
    `select count(*)::int as n from attempts join videos on videos.id = video_id where videos.user_id = $1`,
    [actor.id],
  )
  return rows[0]?.n ?? 0
}

const administer = (user: UserCtx, act: 'stop' | 'trash') =>
  engine.deps.db.transaction(async (tx) => {
    const { id } = user.actor
    await lockUsers(tx, sql`id = ${id}`)
    if (act === 'trash') return trashUsers(tx, engine.deps.queue, sql`id = ${id}`)
    await tx.run(sql`update users set is_active = false where id = ${id}`)
    await stopUsers(tx, [id])
  })

test(`F23: a user is disabled or expires in the middle of a batch: nothing new is sent (seed ${SEED})`, async () => {
  const rng = openRng(23)
  for (let trial = 0; trial < trials(100, 3000); trial++) {
    const user = await engine.user({ plan: 'Professional', video_generation_speed: 0 })
    await bulk(user, 4)
    await generate(user)
    const going = engine.drain()
    await turns(rng.below(60))
    const isDisabled = rng.below(2) === 0
    if (isDisabled) await administer(user, 'stop')
    else {
      await engine.pool.query(
        `update users set expiry_date = engine_now() - interval '3 days' where id = $1`,
        [user.actor.id],
      )
    }
    const sent = await ordersOf(user)
    await going
    if (isDisabled) expect(await ordersOf(user)).toBe(sent)
    expect(await attempt(() => generate(user))).toMatch(/ACCOUNT_DISABLED|ACCOUNT_EXPIRED/)
    if (!isDisabled) await administer(user, 'stop')
    if (trial % 50 === 0) await engine.settle()
  }
  await engine.settle()
  const { rows } = await engine.pool.query(
    `select 1 from videos where status in ('pending', 'generating') and deleted_at is null`,
  )
  expect(rows).toHaveLength(0)
})

test('F23: a user is disabled while a regeneration waits: the clip stays, the unit is returned, and no failure is shown', async () => {
  engine.fake.play({ defaults: { generationMs: 1_000 } })
  const user = await engine.user()
  const { id } = await generate(user)
  await engine.settle()
  const [made] = await videosOf(engine, user)
  await regenerateVideo(user, id)
  await administer(user, 'stop')
  const [video] = await videosOf(engine, user)
  const stopped = { status: 'completed', errorCode: null, errorMessage: REGENERATION_STOPPED }
  expect(video).toMatchObject({ ...stopped, fileKey: made?.fileKey })
  expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 1, returned: 1 } })
})

test('restoring a video that was deleted while its regeneration waited restores its clip, and no failure is shown', async () => {
  engine.fake.play({ defaults: { generationMs: 1_000 } })
  const [user, admin] = [await engine.user(), await engine.admin()]
  const { id } = await generate(user)
  await engine.settle()
  const [made] = await videosOf(engine, user)
  await regenerateVideo(user, id)
  await deleteVideo(user, id)
  expect(await restoreSelected(admin, [id])).toBe(1)
  const [video] = await videosOf(engine, user)
  const stopped = { status: 'completed', errorCode: null, errorMessage: REGENERATION_STOPPED }
  expect(video).toMatchObject({ ...stopped, fileKey: made?.fileKey })
  expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 1, returned: 1 } })
})

test.each([
  ['the order fails once', 'op-error', REGENERATION_STOPPED],
  ['the prompt is refused', 'filtered', `Last regeneration failed: ${FAILURE_TEXT.policy}`],
] as const)(
  'a user is disabled while a regeneration is made, and %s: the clip stays, and the video shows what happened',
  async (_name, outcome, errorMessage) => {
    engine.fake.play({ defaults: { generationMs: 10_000 } })
    const user = await engine.user()
    const { id } = await generate(user)
    await engine.settle()
    const [made] = await videosOf(engine, user)
    engine.fake.play({
      defaults: { generationMs: 10_000 },
      rules: [{ when: { op: 'submit' }, do: { outcome } }],
    })
    await regenerateVideo(user, id)
    await engine.advance(5_000)
    expect(await ordersOf(user)).toBe(2)
    await administer(user, 'stop')
    await engine.settle()
    const [video] = await videosOf(engine, user)
    const errorCode = outcome === 'op-error' ? null : 'policy'
    expect(video).toMatchObject({ status: 'completed', errorCode, errorMessage })
    expect(video?.fileKey).toBe(made?.fileKey)
    expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 1, returned: 1 } })
  },
)

test(`F24: a user is deleted while their videos are made: no crash, and no video is left (seed ${SEED})`, async () => {
  const rng = openRng(24)
  for (let trial = 0; trial < trials(60, 2000); trial++) {
    const user = await engine.user({ plan: 'Professional', video_generation_speed: 0 })
    await bulk(user, 3)
    await generate(user)
    await engine.advance(rng.below(40_000))
    const going = engine.drain()
    await turns(rng.below(40))
    await administer(user, 'trash')
    await going
    if (trial % 25 === 0) await engine.settle()
  }
  await engine.settle()
  const { rows } = await engine.pool.query(`select 1 from videos where deleted_at is null`)
  expect(rows).toHaveLength(0)
  // I12, checked after each test, also shows that files without a row are gone from the disk.
})

test(`F25: a video is deleted, retried or regenerated while it is made or arrives late: an old result never replaces a new one (seed ${SEED})`, async () => {
  const rng = openRng(25)
  for (let trial = 0; trial < trials(100, 3000); trial++) {
    // Some clips are finished after their deadline and found later: an old result that arrives in a
    // new generation.
    const isLate = rng.below(3) === 0
    engine.fake.play({ defaults: { generationMs: isLate ? 24 * 60_000 : 5_000 } })
    const user = await engine.user()
    const { id } = await generate(user)
    await engine.advance(isLate ? 21 * 60_000 : rng.below(8_000))
    engine.fake.play({ defaults: { generationMs: 1_000 } })
    const actions = Array.from({ length: 4 }, () =>
      rng.pick([
        () => retryVideo(user, id),
        () => regenerateVideo(user, id),
        () => retryAllFailed(user),
        ...(rng.below(3) === 0 ? [() => deleteVideo(user, id)] : []),
        () => engine.advance(rng.below(5 * 60_000)),
      ]),
    )
    for (const act of actions) await attempt<unknown>(act)
    await Promise.all([...actions.map((act) => attempt<unknown>(act)), engine.drain()])
    await engine.advance(30 * 60_000)
    const [video] = await videosOf(engine, user)
    if (video?.deletedAt === null) {
      const { rows } = await engine.pool.query<{ generation: number }>(
        `select generation from attempts
         where video_id = $1 and right(id::text, 2) || '/' || id || '.mp4' = $2`,
        [id, video.fileKey],
      )
      expect(video.status).toBe('completed')
      expect(rows).toEqual([{ generation: video.generation }])
    }
    expect((await quotaOf(engine, user)).reserved).toBe(0)
  }
  await engine.settle()
})

test.each([3_600_000, -3_600_000])(
  'F21: the machine’s clock is wrong by %i ms: rounds and quota are not affected',
  async (skew) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    for (let trial = 0; trial < trials(10, 50); trial++) {
      const user = await engine.user({ plan: 'Professional' })
      vi.setSystemTime(performance.timeOrigin + performance.now())
      const { batchId } = await bulk(user, 7)
      await engine.advance(30_000)
      // The clock also changes in the middle of a step.
      vi.setSystemTime(performance.timeOrigin + performance.now() + skew)
      await engine.settle()
      const rounds = await roundsOf(engine, batchId)
      expect(rounds.map(({ size }) => size)).toEqual([3, 3, 1])
      for (const { gap } of rounds.slice(1)) {
        expect(gap).toBeGreaterThanOrEqual(60)
        expect(gap).toBeLessThan(90)
      }
      const view = { userId: user.actor.id, limit: 120, timeZone: 'UTC' }
      expect(await getQuota(engine.deps.db, view)).toMatchObject({ used: 7 })
    }
  },
)
