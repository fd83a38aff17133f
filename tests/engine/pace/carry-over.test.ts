import { describe, expect } from 'vitest'
import sql from 'sql-template-tag'
import { lockUsers, stopUsers } from '../../../app/domain/administration/users/stop-users.server'
import { getBatchSummary } from '../../../app/domain/batches/batch-list.server'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { carryJob } from '../../../app/domain/batches/carry-over.server'
import { putPromptsBack, usePromptsAgain } from '../../../app/domain/lists/prompts-again.server'
import { findBatchProgress, getBatch } from '../../../app/domain/batches/queries.server'
import {
  pauseBatch,
  resumeBatch,
  stopAfterRound,
} from '../../../app/domain/batches/steer-batch.server'
import {
  editWaitingPrompt,
  listWaitingPrompts,
  moveWaitingPrompt,
  removeWaitingPrompt,
} from '../../../app/domain/batches/waiting-prompts.server'
import type { UserCtx } from '../../../app/domain/context'
import {
  attempt,
  bulk,
  bulkOverDays,
  generate,
  quotaOf,
  roundsOf,
} from '../../support/engine/actions'
import { makeTrial } from '../../support/acts/account-acts'
import { playCalm } from '../../support/engine/make-video'
import { useEngine, useFreshEngine } from '../../support/engine/shared-engine'
import { slowTest, test } from '../../support/slow'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('carry-over at midnight of the platform (Q-5)', () => {
  const { engine, start } = useFreshEngine()

  test.each([
    ['Asia/Karachi', '2027-02-10', 24],
    // The day after has 23 hours, or 25.
    ['America/New_York', '2027-03-13', 23],
    ['America/New_York', '2027-11-06', 25],
    // Its clocks go from 00:00 to 01:00, so the day begins at 01:00.
    ['Africa/Cairo', '2027-04-29', 23],
  ])('%s: what waits is sent on its day, not before (%s)', async (timeZone, day, hours) => {
    await start({ env: { PLATFORM_TIMEZONE: timeZone } })
    playCalm(engine)
    const { rows } = await engine.pool.query<{ ends: Date; after: Date }>(
      `select ($1::date + 1)::timestamp at time zone $2 as ends,
         ($1::date + 2)::timestamp at time zone $2 as after`,
      [day, timeZone],
    )
    const { ends, after } = rows[0]!
    expect(after.getTime() - ends.getTime()).toBe(hours * HOUR_MS)
    await engine.clock.moveTo(ends.getTime() - HOUR_MS)
    const user = await engine.user({ plan: 'Enterprise', video_limit: 2 })
    const { batchId, carried, totalVideos } = await bulkOverDays(user, 5)
    expect({ carried, totalVideos }).toEqual({ carried: 3, totalVideos: 5 })
    const sentBy = async (instant: Date) => {
      await engine.advance(instant.getTime() - 2000 - (await engine.clock.now()))
      const before = engine.fake.entries().length
      const { carried: waits } = await getBatch(user, batchId)
      await engine.advance(60_000)
      const sent = await engine.pool.query<{ prompt: string; at: Date }>(
        `select prompt, attempts.sent_at as at from attempts join videos on videos.id = video_id
         where attempts.batch_id = $1 order by at, batch_position`,
        [batchId],
      )
      for (const { at } of sent.rows.slice(before))
        expect(at.getTime()).toBeGreaterThanOrEqual(instant.getTime())
      return { before, after: sent.rows.length, waits }
    }
    const shown = {
      until: ends.toISOString(),
      days: 3,
      perDay: 2,
      beyondPlan: null,
      isStopped: false,
    }
    expect(await sentBy(ends)).toEqual({
      before: 2,
      after: 4,
      waits: { ...shown, prompts: 3, day: 2 },
    })
    expect(await sentBy(after)).toEqual({
      before: 4,
      after: 5,
      waits: { ...shown, prompts: 1, until: after.toISOString(), day: 3 },
    })
    await engine.settle()
    expect(await getBatchSummary(user, batchId)).toMatchObject({
      status: 'completed',
      ready: 5,
      chargedUnits: 5,
      carried: null,
    })
    const days = await engine.pool.query<{ charged: number }>(
      'select charged from quota_days where user_id = $1 order by day',
      [user.actor.id],
    )
    expect(days.rows.map(({ charged }) => charged)).toEqual([2, 2, 1])
  })

  test('Q-14: a trial gives each day what its network has left, and waits with the rest', async () => {
    await start({ env: { THROTTLE_SCALE: '1', SIGNUP_TRIAL_MAX_PER_NETWORK: '2' } })
    playCalm(engine)
    const expires = new Date((await engine.clock.now()) + 20 * DAY_MS)
    const newcomer = async () => {
      const user = await engine.user({ plan: 'Starter', video_limit: 3, expiry_date: expires })
      await makeTrial({ engine }, user, '10.0.0.1')
      return user
    }
    const [user, neighbour] = [await newcomer(), await newcomer()]
    const { batchId } = await bulkOverDays(user, 5)
    const waits = async () => (await getBatch(user, batchId)).carried?.prompts
    expect(await waits()).toBe(3)
    expect(await attempt(() => generate(neighbour))).toBe('RATE_LIMITED')
    await engine.advance(DAY_MS)
    expect(await waits()).toBe(1)
    expect(await attempt(() => generate(neighbour))).toBe('RATE_LIMITED')
    await engine.settle()
    expect(await getBatch(user, batchId)).toMatchObject({ completedVideos: 5, carried: null })
    const { rows } = await engine.pool.query<{ used: number }>(
      `select used from trial_days where network = '10.0.0.1' order by day`,
    )
    expect(rows.map(({ used }) => used)).toEqual([2, 2, 1])
  })

  slowTest('a worker that is killed anywhere in between loses nothing', async () => {
    await start()
    playCalm(engine)
    for (let boundaries = 1; boundaries <= 40; boundaries += 3) {
      const user = await engine.user({ plan: 'Enterprise', video_limit: 2 })
      const { batchId } = await bulkOverDays(user, 3)
      await engine.advance(HOUR_MS)
      const { carried } = await getBatch(user, batchId)
      await engine.clock.moveTo(Date.parse(carried?.until ?? '') + 100)
      engine.worker().killSwitch.killAfter(boundaries)
      await engine.drain()
      await engine.restart()
      await engine.clock.move(61_000)
      await engine.sweep()
      await engine.settle()
      expect(await getBatch(user, batchId)).toMatchObject({ completedVideos: 3, carried: null })
      expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 3 } })
    }
  })
})

describe('prompts that wait for a later day', () => {
  const engine = useEngine()

  /** Two prompts with today's units and three that wait, all unsent but the first. */
  async function overDays(): Promise<{ user: UserCtx; batchId: string; ids: string[] }> {
    playCalm(engine)
    const user = await engine.user({ plan: 'Starter', video_limit: 2 })
    const { batchId } = await bulkOverDays(user, 5)
    await engine.drain()
    const ids = (await listWaitingPrompts(user, batchId)).map(({ id }) => id)
    return { user, batchId, ids }
  }

  const waitingOf = async (user: UserCtx, batchId: string) =>
    (await listWaitingPrompts(user, batchId)).map(
      ({ prompt, isCarried }) => `${isCarried ? 'later' : 'today'}: ${prompt}`,
    )

  const toNextDay = async () => {
    await engine.advance(DAY_MS - ((await engine.clock.now()) % DAY_MS) + HOUR_MS)
  }

  test('reserve nothing, are changed and moved across the days, and cost nothing when removed', async () => {
    const { user, batchId, ids } = await overDays()
    const [today, later, last] = [ids[0]!, ids[1]!, ids[3]!]
    expect(await quotaOf(engine, user)).toMatchObject({ used: 2, lines: { reserved: 2 } })
    await editWaitingPrompt(user, { batchId, videoId: later, prompt: 'a better one' })
    await moveWaitingPrompt(user, { batchId, videoId: later, to: 'earlier' })
    await moveWaitingPrompt(user, { batchId, videoId: last, to: 'earlier' })
    expect(await waitingOf(user, batchId)).toEqual([
      'today: a better one',
      'later: prompt 2',
      'later: prompt 5',
      'later: prompt 4',
    ])
    await moveWaitingPrompt(user, { batchId, videoId: ids[2]!, to: 'first' })
    expect(await waitingOf(user, batchId)).toEqual([
      'today: prompt 5',
      'later: a better one',
      'later: prompt 2',
      'later: prompt 4',
    ])
    await moveWaitingPrompt(user, { batchId, videoId: today, to: 'later' })
    await moveWaitingPrompt(user, { batchId, videoId: later, to: 'later' })
    await removeWaitingPrompt(user, { batchId, videoId: last })
    expect(await attempt(() => removeWaitingPrompt(user, { batchId, videoId: last }))).toBe(
      'CONFLICT',
    )
    const stranger = await engine.user()
    expect(await listWaitingPrompts(stranger, batchId)).toEqual([])
    expect(await attempt(() => removeWaitingPrompt(stranger, { batchId, videoId: later }))).toBe(
      'NOT_FOUND',
    )
    expect(await quotaOf(engine, user)).toMatchObject({ used: 2, lines: { reserved: 2 } })
    expect(await findBatchProgress(user, batchId)).toMatchObject({ cells: 'mwwwc', moving: 1 })
    expect(await usePromptsAgain(user, batchId)).toMatchObject({ count: 5, to: 'box' })
    await toNextDay()
    await engine.settle()
    const { rows } = await engine.pool.query<{ prompt: string; status: string }>(
      'select prompt, status from videos where batch_id = $1 order by batch_position',
      [batchId],
    )
    expect(rows).toEqual([
      { prompt: 'prompt 1', status: 'completed' },
      { prompt: 'a better one', status: 'completed' },
      { prompt: 'prompt 2', status: 'completed' },
      { prompt: 'prompt 5', status: 'completed' },
      { prompt: 'prompt 4', status: 'error' },
    ])
    expect(today).not.toBe(later)
    expect(await putPromptsBack(user, batchId)).toMatchObject({ count: 1, to: 'box' })
  })

  test('wait for their day, though a unit has come back and a job comes early', async () => {
    const { user, batchId, ids } = await overDays()
    await removeWaitingPrompt(user, { batchId, videoId: ids[0]! })
    expect(await quotaOf(engine, user)).toMatchObject({ used: 1 })
    const { key: _, ...early } = carryJob(batchId)
    await engine.deps.db.transaction((tx) => engine.deps.queue.add(tx, [early]))
    await engine.advance(HOUR_MS)
    expect(await getBatch(user, batchId)).toMatchObject({ carried: { prompts: 3 } })
    expect(await quotaOf(engine, user)).toMatchObject({ used: 1 })
    await toNextDay()
    expect(await getBatch(user, batchId)).toMatchObject({ carried: { prompts: 1 } })
    await cancelBatch(user, batchId)
  })

  test('wait for a renewal, for the account and for the end of a pause, and go on at once', async () => {
    const { user, batchId } = await overDays()
    const set = (text: string) =>
      engine.pool.query(`update users set ${text} where id = $1`, [user.actor.id])
    const goesOn = async (prompts: number) => {
      expect(await engine.sweep()).toBe(0)
      expect(await getBatch(user, batchId)).toMatchObject({ carried: { prompts } })
    }
    await engine.advance(HOUR_MS)
    await set(`expiry_date = engine_now() - interval '3 days'`)
    await toNextDay()
    await goesOn(3)
    await set('expiry_date = null')
    expect(await engine.sweep()).toBe(1)
    await engine.drain()
    await goesOn(1)
    await engine.deps.db.transaction(async (tx) => {
      await lockUsers(tx, sql`id = ${user.actor.id}`)
      await tx.run(sql`update users set is_active = false where id = ${user.actor.id}`)
      await stopUsers(tx, [user.actor.id])
    })
    await toNextDay()
    await goesOn(1)
    // What had a unit was cancelled when the account was disabled.
    expect(await getBatchSummary(user, batchId)).toMatchObject({
      status: 'processing',
      cancelled: 1,
    })
    await pauseBatch(user, batchId)
    await set('is_active = true')
    await toNextDay()
    await goesOn(1)
    await resumeBatch(user, batchId)
    await engine.settle()
    expect(await getBatch(user, batchId)).toMatchObject({ status: 'completed', carried: null })
    expect(await quotaOf(engine, user)).toMatchObject({ reserved: 0, charged: 1 })
  })

  test('take no unit of a day on which their batch is paused', async () => {
    const { user, batchId } = await overDays()
    await pauseBatch(user, batchId)
    await toNextDay()
    expect(await getBatch(user, batchId)).toMatchObject({ carried: { prompts: 3 } })
    await generate(user)
    await resumeBatch(user, batchId)
    await engine.drain()
    // One unit of this day was used meanwhile.
    expect(await getBatch(user, batchId)).toMatchObject({ carried: { prompts: 2 } })
    await engine.settle()
    expect(await getBatch(user, batchId)).toMatchObject({ status: 'completed', carried: null })
  })

  test('end with their batch, without a unit; a whole batch may wait for tomorrow', async () => {
    const { user, batchId } = await overDays()
    expect(await stopAfterRound(user, batchId)).toEqual({ prompts: 4, units: 1 })
    await engine.advance(HOUR_MS)
    expect(await getBatch(user, batchId)).toMatchObject({ status: 'completed', failedVideos: 4 })
    const used = await bulk(user, 1)
    await engine.advance(HOUR_MS)
    const next = await bulkOverDays(user, 2)
    expect(next).toMatchObject({ carried: 2, totalVideos: 2 })
    expect(await attempt(() => bulkOverDays(user, 1))).toBe('BATCH_RUNNING')
    expect(await cancelBatch(user, next.batchId)).toMatchObject({
      status: 'cancelled',
      carried: null,
    })
    const none = await engine.user({ video_limit: 0 })
    expect(await attempt(() => bulkOverDays(none, 2))).toBe('QUOTA_EXCEEDED')
    const all = await bulkOverDays(await engine.user({ video_limit: 9 }), 3)
    expect(all.carried).toBe(0)
    await engine.settle()
    expect(await getBatch(user, used.batchId)).toMatchObject({ completedVideos: 1 })
    expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 2 } })
  })

  slowTest('at the reset, a day gives its units once, whatever else happens', async () => {
    for (let trial = 0; trial < 24; trial++) {
      playCalm(engine)
      const user = await engine.user({ plan: 'Enterprise', video_limit: 3 })
      const { batchId } = await bulkOverDays(user, 7)
      await engine.advance(HOUR_MS)
      const { carried } = await getBatch(user, batchId)
      await engine.clock.moveTo(Date.parse(carried?.until ?? '') + 100)
      const [next] = await listWaitingPrompts(user, batchId)
      const other = await engine.startTestWorker()
      const given = { batchId, videoId: next!.id }
      const acts = [
        [() => generate(user), () => bulkOverDays(user, 2)],
        [() => cancelBatch(user, batchId)],
        [
          () => removeWaitingPrompt(user, given),
          () => moveWaitingPrompt(user, { ...given, to: 'later' }),
        ],
        [() => generate(user), () => pauseBatch(user, batchId), () => resumeBatch(user, batchId)],
      ][trial % 4]!
      await Promise.all([
        engine.drain(),
        other.drain(),
        ...acts.map((act) => attempt<unknown>(act)),
      ])
      await attempt(() => resumeBatch(user, batchId))
      await engine.drain()
      const { used } = await quotaOf(engine, user)
      expect(used).toBeLessThanOrEqual(3)
      // A prompt that is cancelled or removed after it was admitted gives its unit back.
      if (trial % 4 === 0 || trial % 4 === 3) expect(used).toBe(3)
      expect(await engine.violations()).toEqual({})
      await attempt(() => cancelBatch(user, batchId))
      await engine.settle()
      for (const { size } of await roundsOf(engine, batchId)) expect(size).toBeLessThanOrEqual(10)
    }
  })
})
