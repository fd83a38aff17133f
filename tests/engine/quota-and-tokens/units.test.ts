import { describe, expect, test } from 'vitest'
import { readSoldWith } from '../../../app/domain/administration/account-columns.server'
import { changePlan, giveRoute } from '../../../app/domain/administration/change-business.server'
import { applyBulkChange } from '../../../app/domain/administration/changes/bulk-change.server'
import { editPaidUser } from '../../../app/domain/administration/changes/edit-paid.server'
import { undoBulkChange } from '../../../app/domain/administration/changes/undo-bulk-change.server'
import { decideImport } from '../../../app/domain/administration/imports/decide-import.server'
import {
  PLACEHOLDER_PASSWORD,
  toEntry,
} from '../../../app/domain/administration/imports/import-rules'
import { importUsers } from '../../../app/domain/administration/imports/import-users.server'
import { ALL_SEEN } from '../../../app/domain/administration/ticks'
import { editUser } from '../../../app/domain/administration/users/edit-user.server'
import { userFilterQuery } from '../../../app/domain/administration/users/list-schemas'
import { getBatchSummary } from '../../../app/domain/batches/batch-list.server'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { getBatch } from '../../../app/domain/batches/queries.server'
import { retryAllFailed } from '../../../app/domain/batches/retry-failed.server'
import type { AdminCtx, UserCtx } from '../../../app/domain/context'
import { countOtherRoutes } from '../../../app/domain/business/settings.server'
import { DEFAULT_PLANS } from '../../../app/domain/plans/catalogue'
import { getQuota } from '../../../app/domain/quota/queries.server'
import { resetCounters } from '../../../app/domain/quota/reset-counters.server'
import { deleteVideo } from '../../../app/domain/videos/requests/delete-videos.server'
import { editVideo, regenerateVideo } from '../../../app/domain/videos/requests/redo-video.server'
import { attempt, bulk, bulkOverDays, generate, quotaOf } from '../../support/engine/actions'
import { playCalm } from '../../support/engine/make-video'
import { useEngine } from '../../support/engine/shared-engine'
import { openRng, SEED, trials } from '../../support/engine/trials'

const engine = useEngine()
const DAY_MS = 24 * 3_600_000

const eachOf3 = (more = {}) =>
  engine.user({ plan: 'Business', video_limit: 20, clip_units: 3, speed_limit: 10, ...more })
const figures = ({ actor }: UserCtx, limit = 20) =>
  getQuota(engine.deps.db, { userId: actor.id, limit, timeZone: 'UTC' })
const setUnits = (user: UserCtx, units: number) =>
  engine.pool.query('update users set clip_units = $2 where id = $1', [user.actor.id, units])

/** The units of each generation, first ones first. */
async function unitsOf({ actor }: UserCtx): Promise<number[]> {
  const { rows } = await engine.pool.query<{ units: number }>(
    'select units from quota_charges where user_id = $1 order by created_at, generation',
    [actor.id],
  )
  return rows.map(({ units }) => units)
}

const REFUSED = {
  defaults: { generationMs: 60_000 },
  rules: [{ when: { op: 'submit', promptIncludes: 'refused' }, do: { outcome: 'filtered' } }],
} as const

describe('issue 52.5: a plan says how many units a video uses', () => {
  test('of 30 videos of 3 units that are ordered at once against 20 units, exactly 6 are accepted', async () => {
    playCalm(engine)
    const user = await eachOf3()
    const all = await Promise.all(Array.from({ length: 30 }, () => attempt(() => generate(user))))
    expect(all.filter((one) => one !== 'QUOTA_EXCEEDED')).toHaveLength(6)
    expect(await figures(user)).toMatchObject({ used: 18, remaining: 0, clipUnits: 3 })
    await expect(generate(user)).rejects.toThrow('You have 0 videos remaining today; 1 requested')
    await engine.settle()
    expect(await quotaOf(engine, user)).toMatchObject({ reserved: 0, charged: 18 })
  })

  test('a batch is accepted as a whole or not at all, also beside single videos', async () => {
    playCalm(engine)
    const user = await eachOf3()
    await expect(bulk(user, 7)).rejects.toThrow('You have 6 videos remaining today; 7 requested')
    await Promise.all(
      [bulk(user, 5), ...[1, 2, 3].map(() => attempt(() => generate(user)))].map((one) =>
        one.catch(() => null),
      ),
    )
    expect((await figures(user)).used).toBeLessThanOrEqual(18)
    expect((await figures(user)).used % 3).toBe(0)
    await engine.settle()
  })

  test('what fails, is deleted or cancelled gives back the units that it was charged', async () => {
    engine.fake.play({ ...REFUSED, rules: [...REFUSED.rules] })
    const user = await eachOf3({ speed_limit: 1, video_generation_speed: 60 })
    await generate(user, 'refused')
    await engine.settle()
    expect(await figures(user)).toMatchObject({ used: 0, remaining: 6 })
    const { rows } = await engine.pool.query<{ returned: number }>(
      'select returned from quota_days where user_id = $1',
      [user.actor.id],
    )
    expect(rows).toEqual([{ returned: 3 }])
    playCalm(engine)
    const { batchId } = await bulk(user, 4)
    await engine.advance(5000)
    await cancelBatch(user, batchId)
    expect(await figures(user)).toMatchObject({ used: 3, inProgress: 3 })
    await engine.settle()
    expect((await getBatchSummary(user, batchId)).chargedUnits).toBe(3)
  })

  test('a video keeps the units that it was charged, whatever its plan says before it settles', async () => {
    engine.fake.play({ ...REFUSED, rules: [...REFUSED.rules] })
    const user = await eachOf3()
    const { id } = await generate(user)
    await generate(user, 'refused')
    await setUnits(user, 1)
    expect(await figures(user)).toMatchObject({ used: 6, remaining: 14 })
    await engine.settle()
    expect(await quotaOf(engine, user)).toMatchObject({ used: 3, charged: 3 })
    // What is ordered now uses what the account has now.
    await regenerateVideo(user, id)
    await editVideo(user, { id, prompt: 'another' })
    await setUnits(user, 2)
    await retryAllFailed(user)
    await engine.settle()
    expect((await unitsOf(user)).sort()).toEqual([1, 1, 2, 3, 3])
    expect(await quotaOf(engine, user)).toMatchObject({ reserved: 0, charged: 5 })
  })

  test('a reset gives the units back once, and what settles after it changes nothing', async () => {
    playCalm(engine)
    const user = await eachOf3()
    await generate(user)
    const reset = await engine.deps.db.transaction((tx) =>
      resetCounters(tx, { timeZone: 'UTC', actorName: 'Rida', userId: user.actor.id }),
    )
    expect(reset).toMatchObject([{ units: 3 }])
    await engine.settle()
    expect(await figures(user)).toMatchObject({ used: 0, remaining: 6 })
  })

  test('later days get whole videos, at the units with which the batch was accepted', async () => {
    playCalm(engine)
    const user = await eachOf3({ video_limit: 8 })
    await generate(user)
    const { batchId, carried } = await bulkOverDays(user, 6)
    // 8 units: one video and then one more, and 2 units are left.
    expect(carried).toBe(5)
    expect((await getBatch(user, batchId)).carried).toMatchObject({
      prompts: 5,
      perDay: 2,
      days: 4,
    })
    await setUnits(user, 8)
    await engine.advance(DAY_MS)
    expect((await getBatch(user, batchId)).carried).toMatchObject({ prompts: 3 })
    await engine.advance(2 * DAY_MS)
    await engine.settle()
    expect(await getBatchSummary(user, batchId)).toMatchObject({
      status: 'completed',
      ready: 6,
      chargedUnits: 18,
    })
    expect(new Set(await unitsOf(user))).toEqual(new Set([3]))
  })

  test('a batch in line takes the units that the account has when it starts', async () => {
    playCalm(engine)
    const user = await eachOf3()
    await bulk(user, 1)
    const { batchId, place } = await bulkOverDays(user, 2, { queue: true })
    expect(place).toBe(1)
    await setUnits(user, 5)
    await engine.settle()
    expect((await getBatchSummary(user, batchId)).chargedUnits).toBe(10)
    expect((await unitsOf(user)).sort()).toEqual([3, 5, 5])
  })

  test('without units nothing is accepted, also not for later days', async () => {
    const user = await eachOf3({ video_limit: 0 })
    for (const act of [() => generate(user), () => bulkOverDays(user, 2), () => bulk(user, 1)])
      expect(await attempt<unknown>(act)).toBe('QUOTA_EXCEEDED')
  })

  test('a gift of fewer units than a video needs is no video; with what is left it may be one', async () => {
    playCalm(engine)
    const user = await eachOf3({ video_limit: 5 })
    await generate(user)
    expect(await attempt(() => generate(user))).toBe('QUOTA_EXCEEDED')
    await engine.pool.query('update quota_days set gifted = 1 where user_id = $1', [user.actor.id])
    expect(await figures(user, 5)).toMatchObject({ limit: 6, used: 3, remaining: 1 })
    await generate(user)
    await engine.settle()
  })

  test('accounts keep theirs until the button gives them what the plan says; another plan brings its own', async () => {
    const admin = await engine.admin()
    const user = await engine.user({ plan: 'Professional' })
    await changePlan(admin, 'Professional', { ...DEFAULT_PLANS.Professional, clipUnits: 4 })
    expect(await countOtherRoutes(engine.deps.db)).toMatchObject({ Professional: 1 })
    expect(await figures(user)).toMatchObject({ clipUnits: 1 })
    expect(await giveRoute(admin, 'Professional')).toBe(1)
    expect(await figures(user)).toMatchObject({ clipUnits: 4 })
    expect(await giveRoute(admin, 'Professional')).toBe(0)
    const other = await engine.user({ plan: 'Business' })
    const sell = (plan: 'Professional' | 'Business') =>
      editUser(admin, { id: other.actor.id, plan })
    await sell('Professional')
    expect(await figures(other)).toMatchObject({ clipUnits: 4 })
    await sell('Business')
    expect(await figures(other)).toMatchObject({ clipUnits: 1 })
    const target = {
      scope: 'chosen' as const,
      picked: [other.actor.id],
      filters: userFilterQuery.parse({}),
    }
    const action = { kind: 'change-plan', plan: 'Professional' } as const
    const approval = { expected: 1, key: undefined, seller: { ticks: ALL_SEEN } }
    const { changeId } = await applyBulkChange(admin, { action, target, paid: null }, approval)
    expect(await figures(other)).toMatchObject({ clipUnits: 4 })
    await undoBulkChange(admin, changeId)
    expect(await figures(other)).toMatchObject({ clipUnits: 1 })
    await changePlan(admin, 'Professional', null)
    await giveRoute(admin, 'Professional')
  })

  test('an undo gives back the units and the providers that the account had before the other plan', async () => {
    const admin = await engine.admin()
    const user = await engine.user({ plan: 'Professional', clip_units: 2, route: 'fal' })
    const { id, username } = user.actor
    const soldWith = () => readSoldWith(engine.deps.db, id)
    const seller = { ticks: ALL_SEEN }
    const plan = 'Business'
    const inBulk = async () => {
      const target = { scope: 'chosen' as const, picked: [id], filters: userFilterQuery.parse({}) }
      const order = { action: { kind: 'change-plan', plan } as const, target, paid: null }
      await applyBulkChange(admin, order, { expected: 1, key: undefined, seller })
    }
    const byHand = () => editPaidUser(admin, { id, plan, seller }, null)
    const byImport = () => {
      const entry = toEntry({ username, password: PLACEHOLDER_PASSWORD, plan })
      return importUsers(admin, [entry], { changesRoles: false, ticks: ALL_SEEN })
    }
    for (const sell of [inBulk, byHand, byImport]) {
      await sell()
      expect(await soldWith()).toEqual({ route: 'first', clipUnits: 1 })
      const { rows } = await engine.pool.query<{ id: string }>(
        `select change_id as id from bulk_change_users join bulk_changes on id = change_id
         where user_id = $1 and undone_at is null`,
        [id],
      )
      expect(rows).toHaveLength(1)
      // The button of the plans page is no change of the account that would hold the undo up.
      await engine.pool.query('update users set clip_units = 3 where id = $1', [id])
      await undoBulkChange(admin, rows[0]?.id ?? '', seller)
      expect(await soldWith()).toEqual({ route: 'fal', clipUnits: 2 })
    }
  })
})

describe('issue 52: a video never uses more units than its account has a day', () => {
  const sell5 = async (admin: AdminCtx) =>
    changePlan(admin, 'Starter', { ...DEFAULT_PLANS.Starter, videosPerDay: 100, clipUnits: 5 })

  test('the button of the plans page leaves a trial a video a day, and a batch in line ends', async () => {
    playCalm(engine)
    const admin = await engine.admin()
    await sell5(admin)
    const user = await engine.user({ plan: 'Starter', video_limit: 4 })
    await bulk(user, 1)
    const { batchId, place } = await bulkOverDays(user, 2, { queue: true })
    expect(place).toBe(1)
    await giveRoute(admin, 'Starter')
    expect(await countOtherRoutes(engine.deps.db)).not.toHaveProperty('Starter')
    expect(await figures(user, 4)).toMatchObject({ used: 1, remaining: 0, clipUnits: 4 })
    await engine.advance(3 * DAY_MS)
    await engine.settle()
    expect((await getBatch(user, batchId)).status).toBe('completed')
    expect((await unitsOf(user)).sort()).toEqual([1, 4, 4])
    const trial = await engine.user({ plan: 'Starter', video_limit: 3, clip_units: 5 })
    await generate(trial)
    await engine.settle()
    expect(await unitsOf(trial)).toEqual([3])
    // Who buys the plan has what it says.
    await editUser(admin, { id: trial.actor.id, videoLimit: 100 })
    expect(await figures(trial, 100)).toMatchObject({ used: 3, remaining: 19, clipUnits: 5 })
    await changePlan(admin, 'Starter', null)
    await giveRoute(admin, 'Starter')
  })

  test('a limit that is lowered below the units of a running batch: a video a day, as its page says', async () => {
    playCalm(engine)
    const admin = await engine.admin()
    const user = await eachOf3({ video_limit: 6 })
    const { batchId } = await bulkOverDays(user, 6)
    await editUser(admin, { id: user.actor.id, videoLimit: 2 })
    expect((await getBatch(user, batchId)).carried).toMatchObject({
      prompts: 4,
      perDay: 1,
      days: 5,
    })
    await engine.advance(2 * DAY_MS)
    expect((await getBatch(user, batchId)).carried).toMatchObject({
      prompts: 2,
      perDay: 1,
      days: 5,
    })
    // As it was accepted, as soon as the limit is enough again.
    await editUser(admin, { id: user.actor.id, videoLimit: 6 })
    await engine.advance(DAY_MS)
    await engine.settle()
    expect((await getBatch(user, batchId)).status).toBe('completed')
    expect((await unitsOf(user)).sort()).toEqual([2, 2, 3, 3, 3, 3])
  })
})

test('issue 52: an import says before it how many units a video of a new account uses, and stores that', async () => {
  const admin = await engine.admin()
  await changePlan(admin, 'Starter', { ...DEFAULT_PLANS.Starter, clipUnits: 3 })
  for (const [more, said, clipUnits] of [
    [{}, 'Starter: 100 videos a day, each video counts as 3, ', 3],
    [{ plan: 'Starter', videoLimit: 2 }, 'Starter: 2 videos a day, each video counts as 2, ', 2],
    [{ plan: 'Business' }, 'Business: 400 videos a day, ', 1],
  ] as const) {
    const entry = toEntry({ username: `0333123456${clipUnits}`, password: 'Kite-2026-x', ...more })
    const [verdict] = (await decideImport(admin, [entry], { changesRoles: false })).verdicts
    expect(verdict).toMatchObject({
      do: 'create',
      changes: [expect.stringContaining(said), expect.anything()],
    })
    await importUsers(admin, [entry], { changesRoles: false })
    const { rows } = await engine.pool.query<{ id: string; limit: number }>(
      'select id, video_limit as limit from users where username = $1',
      [verdict?.username],
    )
    const [{ id, limit }] = rows as [{ id: string; limit: number }]
    const quota = await getQuota(engine.deps.db, { userId: id, limit, timeZone: 'UTC' })
    expect(quota).toMatchObject({ clipUnits })
  }
  await changePlan(admin, 'Starter', null)
})

test(`issue 52.5: orders of changing units, returns and settlements at once: ledger and limit hold (seed ${SEED})`, async () => {
  const rng = openRng(52)
  for (let trial = 0; trial < trials(10, 150); trial++) {
    engine.fake.play({
      defaults: { generationMs: [1, 30_000] },
      seed: trial,
      rules: [...REFUSED.rules],
    })
    const user = await eachOf3({ video_limit: 10, speed_limit: 3, video_generation_speed: 1 })
    const { id } = await generate(user)
    await engine.advance(60_000)
    const actions = Array.from({ length: 20 }, () =>
      rng.pick([
        () => generate(user, rng.pick(['a', 'refused'])),
        () => bulk(user, 1 + rng.below(3)),
        () => bulkOverDays(user, 1 + rng.below(4)),
        () => regenerateVideo(user, id),
        () => retryAllFailed(user),
        () => deleteVideo(user, id),
        () => setUnits(user, 1 + rng.below(4)),
      ]),
    )
    await Promise.all([...actions.map((act) => attempt<unknown>(act)), engine.drain()])
    expect((await quotaOf(engine, user)).used).toBeLessThanOrEqual(10)
    if (trial % 5 === 0) expect(await engine.violations()).toEqual({})
    await engine.settle()
    const { rows } = await engine.pool.query(
      `select (select sum(reserved + charged) from quota_days where user_id = $1)::int as counted,
         (select coalesce(sum(units), 0) from quota_charges where user_id = $1 and state = 'charged')::int as charged`,
      [user.actor.id],
    )
    const [{ counted, charged }] = rows as [{ counted: number; charged: number }]
    expect(counted).toBe(charged)
  }
})
