import { expect, test } from 'vitest'
import type { ScenarioInput } from '../../simulator/scenario'
import { generate, quotaOf, videosOf } from '../../support/engine/actions'
import { NO_TEXTS } from '../../../app/domain/videos/order-fields'
import { startBatch } from '../../../app/domain/batches/start-batch.server'
import { openRng, SEED, trials } from '../../support/engine/trials'
import { makeWithKill, nextJobAt, orphansIn, wakeTooLate } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'

// Workers in this process, killed at the boundaries of their statements and calls.
// kill-worker.slow.test.ts and pace-processes.slow.test.ts cover what only real processes show.
const { engine, start } = useFreshEngine()

const FAST = { defaults: { generationMs: [1_000, 40_000] as [number, number] } }

test(`F1: workers are killed at random moments while videos are made: no video is lost, stuck, or ordered or charged twice (seed ${SEED})`, async () => {
  await start({ scenario: FAST, rng: openRng(1) })
  const rng = openRng(101)
  const users = await Promise.all(
    Array.from({ length: 4 }, () =>
      engine.user({ video_limit: 100_000, speed_limit: 10, video_generation_speed: 1 }),
    ),
  )
  const accepted = new Set<string>()
  let kills = 0
  while (kills < trials(60, 2000)) {
    const user = rng.pick(users)
    for (let i = rng.below(4); i >= 0; i--) accepted.add((await generate(user)).id)
    const { killSwitch } = engine.worker()
    killSwitch.killAfter(1 + rng.below(250))
    await engine.advance(rng.below(30_000))
    if (!killSwitch.isDead()) continue
    kills++
    await engine.restart()
    if (kills % 50 === 0) expect(await engine.violations()).toEqual({})
  }
  await engine.settle()
  const videos = (await Promise.all(users.map((user) => videosOf(engine, user)))).flat()
  // I1: the client's own list of the accepted videos.
  expect(new Set(videos.map(({ id }) => id))).toEqual(accepted)
  expect(videos.filter(({ status }) => status !== 'completed')).toEqual([])
  expect(await orphansIn(engine)).toBe(0)
  for (const user of users) {
    const { lines } = await quotaOf(engine, user)
    expect(Object.keys(lines).filter((state) => state !== 'charged')).toEqual([])
  }
})

/** The nine moments of reliability rule F2, as boundaries. */
const POINTS = {
  'after the entry is taken from the line': /after [^]*insert into attempts/,
  'after the intent is written': /before provider submit/,
  'after the provider accepted the order, before its id is stored': /after provider submit/,
  'after the id of the order is stored': /after [^]*state = 'submitted', ref/,
  'while the order is polled': /after provider poll/,
  'during the download': /after provider fetch/,
  'after the clip is in place, before its row is written': /before [^]*settled_at = engine_now\(\)/,
  'before the last commit': /before commit/,
  'when all is written, before the job has ended': /before the job is done with/,
} as const

test.each(Object.entries(POINTS))(
  'F2: killed %s: one video, one order, one charge',
  async (_point, at) => {
    await start({ scenario: FAST })
    for (let trial = 0; trial < trials(20, 200); trial++) {
      const user = await engine.user()
      const before = engine.fake.entries().length
      await makeWithKill(engine, user, at)
      expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
      expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 1 } })
      expect(engine.fake.entries()).toHaveLength(before + 1)
    }
    expect(await orphansIn(engine)).toBe(0)
  },
)

test('F2: killed before the order is recorded, with a provider that cannot look up orders: one orphan is recorded, and the video is made', async () => {
  await start({ scenario: FAST, can: { recover: 'none' } })
  const times = trials(20, 200)
  for (let trial = 0; trial < times; trial++) {
    const user = await engine.user()
    await makeWithKill(engine, user, /after provider submit/)
    expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
    expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 1 } })
  }
  expect(await orphansIn(engine)).toBe(times)
  expect(engine.fake.entries()).toHaveLength(2 * times)
})

test(`F3: a stopped worker wakes up after its work was given to others, and writes nothing (seed ${SEED})`, async () => {
  await start({ scenario: FAST })
  const rng = openRng(3)
  for (let trial = 0; trial < trials(20, 200); trial++) {
    const user = await engine.user({ plan: 'Professional' })
    for (let i = 0; i < 3; i++) await generate(user)
    const sleeper = await engine.startTestWorker()
    const going = sleeper.drain()
    for (let turns = rng.below(40); turns > 0; turns--) await new Promise(setImmediate)
    sleeper.killSwitch.freeze()
    await wakeTooLate(engine, sleeper, going)
    expect((await videosOf(engine, user)).map(({ status }) => status)).toEqual([
      ...['completed', 'completed', 'completed'],
    ])
    expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 3 } })
  }
})

const REFUSED_ONCE: ScenarioInput['rules'] = [
  { when: { op: 'submit' }, times: 1, do: { status: 503 } },
]
/**
 * Per state that waits for a time: its table, and the first statement of the job that continues it.
 */
const WAITING = {
  held: ['line_entries', /^before\s+select pg_try_advisory_xact_lock/],
  submitted: ['attempts', /^before\s+with claimed as/],
  fetching: ['attempts', /^before\s+with claimed as/],
} as const

test.each(Object.entries(WAITING))(
  'F21: the clock is set back between a job and its work, %s: the job is not treated as early',
  async (state, [table, statement]) => {
    await start({
      scenario: { defaults: { generationMs: 1_000 }, rules: state === 'held' ? REFUSED_ONCE : [] },
    })
    const user = await engine.user()
    await generate(user)
    const isThere = async () =>
      (await engine.pool.query(`select 1 from ${table} where state = $1`, [state])).rows.length > 0
    while (!(await isThere())) if (!(await engine.worker().step())) await engine.clock.move(1_000)
    // Another worker runs the next step exactly when it is due.
    const other = await engine.startTestWorker()
    const asleep = other.killSwitch.freezeAt(statement)
    await engine.clock.moveTo(await nextJobAt(engine))
    const going = other.drain()
    await asleep
    await engine.clock.move(-500)
    other.killSwitch.thaw()
    await going
    await engine.settle()
    expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
  },
)

test(`F20: three workers, one of them stopped for a while: no round and no order twice (seed ${SEED})`, async () => {
  await start({ scenario: FAST })
  const rng = openRng(20)
  const others = [await engine.startTestWorker(), await engine.startTestWorker()]
  for (let trial = 0; trial < trials(50, 1000); trial++) {
    const user = await engine.user({ plan: 'Professional', video_generation_speed: 1 })
    await startBatch(user, {
      prompts: ['a', 'b', 'c', 'd', 'e'],
      aspectRatio: 'portrait',
      ...NO_TEXTS,
    })
    const paused = rng.pick(others)
    const drains = [engine.drain(), ...others.map((worker) => worker.drain())]
    for (let turns = rng.below(30); turns > 0; turns--) await new Promise(setImmediate)
    paused.killSwitch.freeze()
    await engine.advance(30_000)
    paused.killSwitch.thaw()
    await Promise.all(drains)
    await engine.settle()
    const { rows } = await engine.pool.query<{ size: number }>(
      `select size from rounds join batches on batches.id = batch_id where user_id = $1 order by rounds.round_no`,
      [user.actor.id],
    )
    expect(rows.map(({ size }) => size)).toEqual([3, 2])
    expect((await videosOf(engine, user)).map(({ status }) => status)).toEqual(
      Array.from({ length: 5 }, () => 'completed'),
    )
  }
})
