import { expect } from 'vitest'
import type { UserCtx } from '../../../app/domain/context'
import { storeDefaultCredential } from '../../../app/domain/tokens/credentials.server'
import { addPoolToken } from '../../../app/domain/tokens/pool.server'
import { startLine } from '../../../app/domain/videos/engine/breaker.server'
import { dispatchWaiting } from '../../../app/domain/videos/engine/dispatch.server'
import { tryTokenNow } from '../../../app/domain/videos/engine/try-now.server'
import { DEFAULT_TOKEN } from '../../simulator/settings'
import { bulk, generate, statusesOf, videosOf } from '../../support/engine/actions'
import type { EngineOptions } from '../../support/engine/engine'
import { findingAbout } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'
import { slowTest, test } from '../../support/slow'
import { until } from '../../support/wait'

// The circuit breaker counts what costs money, and a line starts slowly: a provider that takes
// money and gives nothing gets a few orders, however many videos wait.

const { engine, start: startEngine } = useFreshEngine()

const FAST = { defaults: { generationMs: 20_000 } }
const MINUTE = 60_000
const MOST_FOR_NOTHING = 8

async function start(options: EngineOptions = {}, token = 'the-account:0123456789') {
  await startEngine(options)
  await storeDefaultCredential(engine.deps, token)
  await startLine(engine.deps, { digest: 'settings' })
}

const fakeOf = (more: EngineOptions = {}): EngineOptions => ({
  scenario: FAST,
  ...more,
  can: { needsCredential: true, recover: 'none', ...more.can },
})

/** A user whose batch of a hundred is handed over at once. */
const hurried = () =>
  engine.user({ video_limit: 1000, speed_limit: 100, video_generation_speed: 0 })

const providerFinding = () => findingAbout(engine, 'Provider')

const unfinished = ['pending', 'generating']

test('W5: a hundred videos, and acceptances that cannot be read: at most 8 orders, all wait, System names the reason; once mended all are delivered', async () => {
  const broken = {
    rules: [{ when: { op: 'submit' as const }, do: { fault: 'half-json' as const } }],
  }
  await start({ flavour: 'gateway', scenario: { ...FAST, ...broken } }, DEFAULT_TOKEN)
  const user = await hurried()
  await bulk(user, 100)
  await engine.advance(30 * MINUTE)
  expect(engine.sim?.stats().ordersAccepted).toBeGreaterThanOrEqual(3)
  expect(engine.sim?.stats().ordersAccepted).toBeLessThanOrEqual(MOST_FOR_NOTHING)
  const states = () => statusesOf(engine, user)
  expect((await states()).filter((status) => unfinished.includes(status))).toHaveLength(100)
  const finding = await providerFinding()
  expect(finding).toMatchObject({ level: expect.stringMatching(/bad|warn/) as string })
  expect(finding?.text).toContain('no acceptance came back that can be read')
  expect(finding?.text).toContain('The answer began: “unreadable answer with status 202')
  engine.sim?.play(FAST)
  await engine.settle()
  expect((await states()).filter((status) => status === 'completed')).toHaveLength(100)
})

/** Starts a line that is at full speed and has nothing to do. */
async function startAtFullSpeed(): Promise<UserCtx> {
  await start(fakeOf())
  const user = await hurried()
  for (let i = 0; i < 5; i++) await generate(user)
  await engine.settle()
  return user
}

const countOf = async (what: string) => {
  const { rows } = await engine.pool.query<{ count: number }>(
    `select count(*)::int as count from ${what}`,
  )
  return rows[0]!.count
}

/** Starts a batch and waits until its first round is in the line. Returns how many videos it has. */
async function firstRound(user: UserCtx, count: number): Promise<number> {
  await bulk(user, count)
  for (;;) {
    const waiting = await countOf('line_entries')
    if (waiting > 0) return waiting
    if (!(await engine.worker().step())) await engine.clock.move(500)
  }
}

/** Hands over what may leave, while no order is answered. Returns how many orders wait for a response. */
async function handOver(): Promise<number> {
  await dispatchWaiting(engine.deps)
  return countOf(`attempts where state = 'queued'`)
}

test('R9: after a quiet time four orders of a round leave, and the rest once one is accepted', async () => {
  const user = await startAtFullSpeed()
  expect(await firstRound(user, 60)).toBeGreaterThan(20)
  expect(await handOver()).toBe(4)
  expect(await handOver()).toBe(4)
  await engine.settle()
  expect(await statusesOf(engine, user)).toEqual(Array(65).fill('completed'))
})

test('R9: while orders are accepted a round leaves at once', async () => {
  const user = await startAtFullSpeed()
  await generate(user)
  await engine.drain()
  const waiting = await firstRound(user, 30)
  expect(waiting).toBeGreaterThan(20)
  expect(await handOver()).toBe(waiting)
  await engine.settle()
})

test('R9: single videos one by one after a quiet time: at most eight leave before one is accepted', async () => {
  await startAtFullSpeed()
  for (let left = 12; left > 0; left--) {
    await generate(await hurried())
    expect(await handOver()).toBeLessThanOrEqual(MOST_FOR_NOTHING)
  }
  await engine.settle()
})

test('R9: a dispatch that was held up does not hand over what it chose before, but four', async () => {
  const user = await startAtFullSpeed()
  await generate(user)
  await engine.drain()
  await firstRound(user, 30)
  const holder = await engine.pool.connect()
  await holder.query('begin; select 1 from credentials for update')
  const handedOver = handOver()
  await until('a dispatch that has waited for two seconds', async () => {
    const { rows } = await engine.pool.query(`
      select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%pool_position%'
        and datname = current_database() and clock_timestamp() - query_start > interval '2 seconds'`)
    return rows.length > 0
  })
  await holder.query('commit')
  holder.release()
  expect(await handedOver).toBe(4)
  await engine.settle()
  expect(await statusesOf(engine, user)).toEqual(Array(36).fill('completed'))
})

slowTest(
  'W5: every order ends without a clip and without a reason: the line pauses after a few and goes on when a probe delivers',
  async () => {
    await start(fakeOf())
    // Settings that were changed: the first clips have to arrive before more is ordered.
    await startLine(engine.deps, { digest: 'other settings' })
    engine.fake.play({ ...FAST, rules: [{ when: { op: 'submit' }, do: { outcome: 'op-error' } }] })
    const user = await hurried()
    await bulk(user, 100)
    await engine.advance(15 * MINUTE)
    expect(engine.fake.entries().length).toBeLessThanOrEqual(MOST_FOR_NOTHING)
    const states = () => statusesOf(engine, user)
    expect((await states()).filter((status) => unfinished.includes(status))).toHaveLength(100)
    expect((await providerFinding())?.text).toContain('ended without a clip and without a reason')
    expect((await providerFinding())?.text).toContain('raw words of the provider')
    engine.fake.play(FAST)
    await engine.settle()
    expect((await states()).filter((status) => status === 'completed')).toHaveLength(100)
  },
)

slowTest('W5: what is downloaded is no clip: three in a row pause the account', async () => {
  await start(fakeOf())
  engine.fake.play({ ...FAST, rules: [{ when: { op: 'content' }, do: { fault: 'html' } }] })
  const user = await engine.user({ plan: 'Enterprise' })
  for (let i = 0; i < 3; i++) await generate(user)
  await engine.advance(25_000)
  await generate(user)
  await engine.advance(10_000)
  expect(engine.fake.entries()).toHaveLength(3)
  expect((await providerFinding())?.text).toContain('ended without a clip')
  engine.fake.play(FAST)
  await engine.settle()
})

test('W5: a single video that brings no clip again and again pauses nothing', async () => {
  await start(fakeOf())
  engine.fake.play({
    ...FAST,
    rules: [{ when: { op: 'submit', promptIncludes: 'BAD' }, do: { outcome: 'op-error' } }],
  })
  const user = await engine.user({ plan: 'Enterprise' })
  await generate(user, 'a BAD one')
  await engine.advance(25_000)
  // A single bad video says nothing about the account, however often it fails.
  for (let i = 0; i < 3; i++) {
    const other = await engine.user()
    await generate(other, `good ${i}`)
    await engine.advance(25_000)
    expect((await videosOf(engine, other))[0]).toMatchObject({ status: 'completed' })
  }
  await engine.settle()
  expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'error' })
})

slowTest(
  'W5: a provider that delivered lately: a line that starts again sends one order, doubles with each acceptance, and is at full speed within 2 s, though its clips take three minutes',
  async () => {
    let running = 0
    let accepted = 0
    const excess: unknown[] = []
    await start(
      fakeOf({
        scenario: { defaults: { generationMs: 3 * MINUTE } },
        deps: ({ provider }) => ({
          provider: {
            ...provider,
            submit: async (...args) => {
              running += 1
              if (running > 2 ** accepted) excess.push({ running, accepted })
              await new Promise(setImmediate)
              const ref = await provider.submit(...args)
              running -= 1
              accepted += 1
              return ref
            },
          },
        }),
      }),
    )
    const user = await hurried()
    await generate(user)
    await generate(user)
    await engine.settle()
    await engine.clock.move(20 * 60 * MINUTE)
    await startLine(engine.deps, { digest: 'settings' })
    accepted = 0
    await bulk(user, 40)
    await engine.advance(2_000)
    expect(engine.fake.entries()).toHaveLength(42)
    expect(excess).toEqual([])
    await engine.settle()
  },
)

/** Returns how many orders there were after each change of their number, looking every two seconds. */
async function growth(seconds: number): Promise<number[]> {
  const counts = [engine.fake.entries().length]
  for (let passed = 0; passed < seconds; passed += 2) {
    await engine.advance(2_000)
    const count = engine.fake.entries().length
    if (count !== counts.at(-1)) counts.push(count)
  }
  return counts
}

test('W5: after a changed setting one order is sent until the first clip, then two, four, eight, and all', async () => {
  await start(fakeOf())
  const user = await hurried()
  for (let i = 0; i < 5; i++) await generate(user)
  await engine.settle()
  const before = engine.fake.entries().length
  await startLine(engine.deps, { digest: 'other settings' })
  // A worker that starts again under the same settings changes nothing.
  await startLine(engine.deps, { digest: 'other settings' })
  await bulk(user, 40)
  const counts = (await growth(120)).map((count) => count - before)
  expect(counts.slice(0, 3)).toEqual([0, 1, 3])
  expect(counts.at(-1)).toBe(40)
  // Each clip doubles the room: two that arrive together make it eight.
  expect(counts.find((count) => count > 3)).toBeLessThanOrEqual(11)
  await engine.settle()
})

slowTest(
  'W5: a provider of which nothing is known, or nothing for a day, begins with four orders until the first clip',
  async () => {
    await start(fakeOf())
    const user = await hurried()
    await bulk(user, 30)
    expect((await growth(60)).slice(0, 2)).toEqual([0, 4])
    await engine.settle()
    expect(engine.fake.entries()).toHaveLength(30)
    await engine.clock.move(25 * 60 * MINUTE)
    await startLine(engine.deps, { digest: 'settings' })
    await bulk(user, 30)
    expect((await growth(60)).slice(0, 2)).toEqual([30, 34])
    await engine.settle()
  },
)

slowTest(
  'W5: after a pause because of unreadable acceptances at most eight orders precede the first clip',
  async () => {
    await start(fakeOf())
    const user = await hurried()
    for (let i = 0; i < 5; i++) await generate(user)
    await engine.settle()
    const strange = { when: { op: 'submit' as const }, do: { fault: 'drop-after-accept' as const } }
    engine.fake.play({ ...FAST, rules: [{ ...strange, times: 3 }] })
    for (let i = 0; i < 3; i++) await generate(user)
    await engine.drain()
    await bulk(user, 57)
    const paused = engine.fake.entries().length
    engine.fake.play({ defaults: { generationMs: 5 * MINUTE } })
    await engine.advance(4 * MINUTE)
    expect(engine.fake.entries().length - paused).toBe(8)
    await engine.settle()
    expect(
      (await statusesOf(engine, user)).filter((status) => status === 'completed'),
    ).toHaveLength(65)
  },
)

const HOUR = 60 * MINUTE
const accounts = (count: number) => async () => {
  await engine.pool.query('delete from credentials')
  const admin = await engine.admin()
  for (let i = 0; i < count; i++) await addPoolToken(admin, `account-${i}:0123456789`)
}

const ACCEPTANCES = [
  ['that cannot be read, one account', { fault: 'drop-after-accept' }, accounts(1)],
  ['that cannot be read, ten accounts', { fault: 'drop-after-accept' }, accounts(10)],
  ['and no clips, one account', { outcome: 'op-error' }, accounts(1)],
  ['and no clips, ten accounts', { outcome: 'op-error' }, accounts(10)],
] as const

slowTest.each(ACCEPTANCES)(
  'W5: acceptances %s: eight orders in a day, whatever the batch; once mended all goes on without a press',
  orderEightInADay,
)

async function orderEightInADay(
  _: string,
  action: (typeof ACCEPTANCES)[number][1],
  withAccounts: () => Promise<void>,
): Promise<void> {
  await start(fakeOf())
  await withAccounts()
  await startLine(engine.deps, { digest: 'other settings' })
  engine.fake.play({ ...FAST, rules: [{ when: { op: 'submit' }, do: action }] })
  const user = await hurried()
  await bulk(user, 50)
  await engine.advance(35 * MINUTE)
  expect(engine.fake.entries().length).toBeGreaterThan(4)
  await engine.advance(6 * HOUR)
  await engine.clock.move(17 * HOUR)
  await engine.advance(5 * MINUTE)
  expect(engine.fake.entries().length).toBeLessThanOrEqual(MOST_FOR_NOTHING)
  engine.fake.play(FAST)
  await engine.clock.move(30 * HOUR)
  await engine.advance(30 * MINUTE)
  expect((await statusesOf(engine, user)).filter((status) => unfinished.includes(status))).toEqual(
    [],
  )
}

slowTest(
  'W5: an account that gives no clips is asked for one more order if the operator says so, or changes the settings',
  async () => {
    await start(fakeOf())
    await startLine(engine.deps, { digest: 'other settings' })
    engine.fake.play({ ...FAST, rules: [{ when: { op: 'submit' }, do: { outcome: 'op-error' } }] })
    const user = await hurried()
    await bulk(user, 30)
    // The pauses of 1, 4, 16, 64 and 256 minutes, each up to a fifth longer, are over, and the last order
    // has ended: one that is under way would be the probe that is asked for.
    await engine.advance(8 * HOUR)
    const count = () => engine.fake.entries().length
    const before = count()
    const { rows } = await engine.pool.query<{ id: string }>('select id from credentials')
    await tryTokenNow(await engine.admin(), rows[0]!.id)
    await engine.advance(5 * MINUTE)
    expect(count()).toBe(before + 1)
    await startLine(engine.deps, { digest: 'third settings' })
    await engine.advance(5 * MINUTE)
    expect(count()).toBe(before + 2)
    engine.fake.play(FAST)
    await startLine(engine.deps, { digest: 'fourth settings' })
    await engine.advance(10 * MINUTE)
    expect(
      (await statusesOf(engine, user)).filter((status) => unfinished.includes(status)),
    ).toEqual([])
  },
)

slowTest(
  'W5: the probe of an account that gives no clips is refused with 429: it still has to deliver before others follow',
  async () => {
    await start(fakeOf())
    const user = await hurried()
    for (let i = 0; i < 5; i++) await generate(user)
    await engine.settle()
    const before = engine.fake.entries().length
    const noClip = { when: { op: 'submit' as const }, do: { outcome: 'op-error' as const } }
    const busy = { when: { op: 'submit' as const }, do: { status: 429 }, times: 1 }
    engine.fake.play({ ...FAST, rules: [{ ...noClip, times: 3 }] })
    for (let i = 0; i < 3; i++) await generate(user)
    await engine.advance(30_000)
    engine.fake.play({ defaults: { generationMs: 5 * MINUTE }, rules: [busy] })
    await bulk(user, 30)
    await engine.advance(6 * MINUTE)
    expect(engine.fake.entries().length - before - 3).toBe(1)
    await engine.settle()
  },
)

slowTest.each([
  ['refused as if the model were gone', { status: 404 }],
  ['answered that the provider is busy', { status: 503 }],
])(
  'a line that starts: a video that is %s waits alone; the next one is ordered at once',
  async (_, action) => {
    await start(fakeOf())
    engine.fake.play({
      ...FAST,
      rules: [{ when: { op: 'submit', promptIncludes: 'BAD' }, do: action }],
    })
    const [one, other] = [await engine.user(), await engine.user()]
    await generate(one, 'a BAD one')
    await generate(other, 'a good one')
    await engine.advance(2_000)
    expect(engine.fake.entries()).toHaveLength(1)
    engine.fake.play(FAST)
    await engine.settle()
  },
)

const restingGate = async () => {
  const { rows } = await engine.pool.query<{ strikes: number; minutes: number }>(
    `select strikes, ceil(extract(epoch from closed_until - engine_now()) / 60)::int as minutes
     from provider_gates where reason = 'rate-limited'`,
  )
  return rows
}

/** Sends ten orders at once, at full speed, and lets the first ones be refused as told. */
async function tenAtOnce(...rules: NonNullable<EngineOptions['scenario']>['rules'][]) {
  const user = await hurried()
  await bulk(user, 10)
  await engine.settle()
  engine.fake.play({ ...FAST, rules: rules.flatMap((some) => some ?? []) })
  await bulk(user, 10)
  await engine.drain()
}

test('an account that many orders met at once rests as long as after one, and says so once', async () => {
  await start(fakeOf())
  await tenAtOnce([{ when: { op: 'submit' }, do: { status: 429 }, times: 10 }])
  expect(await restingGate()).toEqual([{ strikes: 1, minutes: 1 }])
  const { rows: pauses } = await engine.pool.query(
    `select 1 from trail_entries where action = 'token.pause'`,
  )
  expect(pauses).toHaveLength(1)
  await engine.settle()
})

slowTest('if one of them names a longer pause, the account rests for that long', async () => {
  await start(fakeOf())
  await tenAtOnce(
    [{ when: { op: 'submit' }, do: { status: 429 }, times: 1 }],
    [{ when: { op: 'submit' }, do: { status: 429, retryAfter: 540 }, times: 1 }],
    [{ when: { op: 'submit' }, do: { status: 429 }, times: 8 }],
  )
  const [gate] = await restingGate()
  expect(gate?.strikes).toBe(1)
  expect(gate?.minutes).toBeGreaterThanOrEqual(9)
  await engine.settle()
})

slowTest(
  'an account that rested after a stray 401: once one order is accepted, all others follow at once',
  async () => {
    await start(
      fakeOf({
        deps: ({ provider }) => ({ provider: { ...provider, check: () => Promise.resolve() } }),
      }),
    )
    const user = await hurried()
    await bulk(user, 10)
    await engine.settle()
    engine.fake.play({
      ...FAST,
      rules: [{ when: { op: 'submit' }, do: { status: 401 }, times: 1 }],
    })
    await generate(user)
    await engine.drain()
    await bulk(user, 5)
    await engine.advance(15_000)
    expect(engine.fake.entries()).toHaveLength(16)
    await engine.settle()
  },
)
