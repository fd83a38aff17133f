import type { Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { NO_TEXTS } from '../../../app/domain/videos/order-fields'
import { retryVideo } from '../../../app/domain/videos/requests/redo-video.server'
import type { Deps, UserCtx } from '../../../app/domain/context'
import { startBatch } from '../../../app/domain/batches/start-batch.server'
import { generate, quotaOf, videosOf } from '../../support/engine/actions'
import { openRng, SEED, trials, type Rng } from '../../support/engine/trials'
import { nextJobAt } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'

const { engine, start } = useFreshEngine()

type Trouble = { fault: Record<string, unknown>; times: number }
type Done = { user: UserCtx; faults: Trouble[]; video: Awaited<ReturnType<typeof byNumber>> }
const FAST = { generationMs: 20_000 }
/**
 * Returns one rule per fault. It applies to the orders whose prompt contains the fault's number.
 */
const rulesFor = (faults: readonly Trouble[]) =>
  faults.map(({ fault, times }, i) => ({
    when: { op: 'submit' as const, promptIncludes: `#${i}#` },
    do: fault,
    ...(times > 0 ? { times } : {}),
  }))

/** Orders `total` videos in batches of a hundred, each with its own fault. */
async function inHundreds(
  total: number,
  trouble: (rng: Rng) => Trouble,
  check: (done: Done) => Promise<void>,
): Promise<void> {
  const rng = openRng(total)
  for (let left = total; left > 0; left -= 100) {
    const count = Math.min(100, left)
    const faults = Array.from({ length: count }, () => trouble(rng))
    engine.fake.play({ defaults: FAST, rules: rulesFor(faults) })
    const user = await engine.user({
      video_limit: 1000,
      speed_limit: 50,
      video_generation_speed: 0,
    })
    await startBatch(user, {
      prompts: faults.map((_, i) => `#${i}#`),
      aspectRatio: 'portrait',
      ...NO_TEXTS,
    })
    // Longer than an order may take, shorter than the day in which late clips are looked for.
    await engine.advance(25 * 60_000)
    await check({ user, faults, video: await byNumber(user) })
  }
}

async function byNumber(user: UserCtx) {
  const videos = await videosOf(engine, user)
  const { rows } = await engine.pool.query<{ id: string; prompt: string; orders: number }>(
    `select id, prompt, (select count(*)::int from attempts where video_id = videos.id) as orders
     from videos where user_id = $1`,
    [user.actor.id],
  )
  const at = new Map(rows.map((row) => [Number(row.prompt.replaceAll('#', '')), row]))
  return (i: number) => {
    const { id = '', orders = 0 } = at.get(i) ?? {}
    return { ...videos.find((video) => video.id === id), orders }
  }
}

test(`F10: after a 429 no request is sent before its Retry-After time, and no attempt is used up (seed ${SEED})`, async () => {
  await start()
  const rng = openRng(10)
  for (let trial = 0; trial < trials(100, 2000); trial++) {
    const seconds = rng.below(4) === 0 ? undefined : 1 + rng.below(90)
    const asked = seconds === undefined ? {} : { retryAfter: seconds }
    engine.fake.play({
      defaults: FAST,
      rules: [{ when: { op: 'submit' }, times: 1 + rng.below(3), do: { status: 429, ...asked } }],
    })
    const before = engine.fake.calls().filter(({ op }) => op === 'submit').length
    const user = await engine.user()
    await generate(user)
    await engine.settle()
    const calls = engine.fake
      .calls()
      .filter(({ op }) => op === 'submit')
      .slice(before)
    for (const [i, { at }] of calls.slice(1).entries()) {
      expect(at - (calls[i]?.at ?? 0)).toBeGreaterThanOrEqual((seconds ?? 0) * 1000)
    }
    expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
    const { rows } = await engine.pool.query(
      `select 1 from attempts join videos on videos.id = video_id
       where videos.user_id = $1 and state = 'failed'`,
      [user.actor.id],
    )
    expect(rows).toHaveLength(0)
  }
})

const DEFINITE = [{ status: 500 }, { status: 503 }, { status: 503, retryAfter: 3 }]
const LOST = [
  { status: 502, after: 'accept' },
  { status: 504 },
  { fault: 'drop-after-accept' },
  { fault: 'drop-before-accept' },
]
const losesAnswers = (rng: Rng): Trouble => ({ fault: rng.pick(LOST), times: 1 + rng.below(3) })

test(`F11: orders that are refused or whose response is lost are retried up to the limit and never sent twice (seed ${SEED})`, async () => {
  await start()
  await inHundreds(
    trials(250, 5000),
    (rng) => ({ fault: rng.pick([...DEFINITE, ...LOST]), times: 1 + rng.below(3) }),
    async ({ user, faults, video }) => {
      for (const [i, { fault, times }] of faults.entries()) {
        const isDefinite = DEFINITE.some((one) => one === fault)
        const isBeaten = isDefinite && times >= 3
        expect([i, video(i).status]).toEqual([i, isBeaten ? 'error' : 'completed'])
        if (isBeaten) expect(video(i).errorCode).toBe('down')
      }
      expect((await quotaOf(engine, user)).reserved).toBe(0)
    },
  )
})

test(`F11: a provider that cannot look up orders: one orphan per generation, then the unit is returned (seed ${SEED})`, async () => {
  await start({ can: { recover: 'none' } })
  await inHundreds(trials(50, 1000), losesAnswers, async ({ faults, video }) => {
    for (const [i, { times }] of faults.entries()) {
      expect([i, video(i).status]).toEqual([i, times >= 2 ? 'error' : 'completed'])
      expect(video(i).orders).toBe(2)
    }
  })
})

test(`F11: the operator has lost orders made again: the second is sent at once, and the first is recorded as an orphan (seed ${SEED})`, async () => {
  await start({ can: { recover: 'none', ordersAgain: true } })
  await inHundreds(trials(50, 1000), losesAnswers, async ({ faults, video }) => {
    for (const [i, { times }] of faults.entries()) {
      const isGivenUp = times >= 2
      expect([i, video(i).status]).toEqual([i, isGivenUp ? 'error' : 'completed'])
      expect(video(i).orders).toBe(2)
      const { rows } = await engine.pool.query(
        `select 1 from attempts where video_id = $1 and state = 'orphaned'`,
        [video(i).id],
      )
      expect([i, rows.length]).toEqual([i, 1])
    }
  })
})

test(`F13: an order that never ends, or that the provider forgets, ends at its deadline and can be retried (seed ${SEED})`, async () => {
  await start()
  await inHundreds(
    trials(50, 1000),
    (rng) => ({ fault: { outcome: rng.pick(['never', 'forgotten']) }, times: 0 }),
    async ({ user, faults, video }) => {
      for (const [i, { fault }] of faults.entries()) {
        const errorCode = fault.outcome === 'never' ? 'time-out' : 'unknown'
        expect(video(i)).toMatchObject({ status: 'error', errorCode, orders: 1 })
      }
      expect(await quotaOf(engine, user)).toMatchObject({ lines: { returned: faults.length } })
      engine.fake.play({ defaults: FAST })
      await retryVideo(user, video(0).id ?? '')
      await engine.settle()
      expect((await byNumber(user))(0)).toMatchObject({ status: 'completed' })
    },
  )
})

test('an order that four polls in a row report as unknown is not given up, at the fifth it is: its clip is free then', async () => {
  await start()
  for (const [times, line] of [
    [4, 'charged'],
    [5, 'returned'],
  ] as const) {
    engine.fake.play({
      defaults: FAST,
      rules: [{ when: { op: 'poll' }, times, do: { status: 404 } }],
    })
    const user = await engine.user()
    await generate(user)
    await engine.settle()
    expect(await videosOf(engine, user)).toMatchObject([{ status: 'completed' }])
    expect((await quotaOf(engine, user)).lines, `${times} times`).toEqual({ [line]: 1 })
  }
  expect(engine.fake.calls().filter(({ op }) => op === 'submit')).toHaveLength(2)
})

test('a clip that is ready after its deadline is still delivered, free', async () => {
  await start({ scenario: { defaults: { generationMs: 25 * 60_000 } } })
  const user = await engine.user()
  await generate(user)
  await engine.advance(21 * 60_000)
  expect((await videosOf(engine, user))[0]).toMatchObject({
    status: 'error',
    errorCode: 'time-out',
  })
  await engine.settle()
  expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed', errorCode: null })
  expect(await quotaOf(engine, user)).toMatchObject({ lines: { returned: 1 } })
})

test(`F14: finished without a clip, refused or failed: one order, a plain error message, no loop (seed ${SEED})`, async () => {
  await start()
  await inHundreds(
    trials(100, 2000),
    (rng) => ({ fault: { outcome: rng.pick(['filtered', 'failed', 'empty']) }, times: 0 }),
    async ({ faults, video }) => {
      for (const i of faults.keys()) {
        expect(video(i)).toMatchObject({ status: 'error', orders: 1 })
        expect(video(i).errorMessage).toMatch(/Nothing was charged/)
        expect(video(i).errorMessage).not.toMatch(/raw words/)
      }
    },
  )
})

type Moment = { of: (query: Sql) => boolean; isDone: boolean }

/**
 * Makes the database unavailable once: before the statement is executed, or before its result
 * arrives.
 */
function awayOnce({ of, isDone }: Moment) {
  let outages = 0
  const deps = ({ db }: Deps): Partial<Deps> => {
    const row: Deps['db']['row'] = async <Row extends object>(query: Sql) => {
      const isNow = outages === 0 && of(query)
      if (isNow) outages++
      const response = isNow && !isDone ? undefined : await db.row<Row>(query)
      if (isNow) throw new Error('Connection terminated unexpectedly')
      return response
    }
    return { db: { ...db, row } }
  }
  return { deps, outages: () => outages }
}

const claims = ({ values }: Sql) => values.includes('queued')
const notes = ({ text }: Sql) => text.includes(`state = 'submitted', ref =`)
const notesQuestion = ({ text }: Sql) =>
  text.includes('set step_tries = 0') || text.includes(`set state = 'fetching'`)

test.each([1_000, 30_000])(
  'F5: a short outage of the database when a response has to be stored: retried within seconds, ordered once (ready after %i ms)',
  async (generationMs) => {
    const { deps, outages } = awayOnce({ of: notesQuestion, isDone: false })
    await start({ scenario: { defaults: { generationMs } }, deps })
    const user = await engine.user()
    await generate(user)
    const polls = () => engine.fake.calls().filter(({ op }) => op === 'poll')
    while (polls().length === 0) {
      await engine.clock.moveTo(await nextJobAt(engine))
      await engine.drain()
    }
    const answeredAt = polls()[0]!.at
    await engine.settle()
    expect(outages()).toBe(1)
    expect(polls()[1]?.at).toBeLessThan(answeredAt + 5_000)
    expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
    expect(engine.fake.calls().filter(({ op }) => op === 'submit')).toHaveLength(1)
  },
)

test.each([
  ['the intent is written', { of: claims, isDone: false }],
  ['the intent was written', { of: claims, isDone: true }],
  ['the response is written', { of: notes, isDone: false }],
  ['the response was written', { of: notes, isDone: true }],
])(
  'F5: the database becomes unavailable when %s: the order is sent once, although it cannot be looked up',
  async (_, moment) => {
    const { deps, outages } = awayOnce(moment)
    await start({ can: { recover: 'none' }, deps })
    const user = await engine.user()
    await generate(user)
    await engine.settle()
    expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
    expect(engine.fake.calls().filter(({ op }) => op === 'submit')).toHaveLength(1)
    expect(outages()).toBe(1)
    const { rows } = await engine.pool.query('select state::text, n from attempts')
    expect(rows).toEqual([{ state: 'done', n: 1 }])
  },
)
