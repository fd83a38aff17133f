import { expect, test } from 'vitest'
import { storeDefaultCredential } from '../../../app/domain/tokens/credentials.server'
import { startLine } from '../../../app/domain/videos/engine/breaker.server'
import { DEFAULT_TOKEN } from '../../simulator/settings'
import { bulk, generate, statusesOf, videosOf } from '../../support/engine/actions'
import type { EngineOptions } from '../../support/engine/engine'
import { findingAbout } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'

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

test('W5: every order ends without a clip and without a reason: the line pauses after a few and goes on when a probe delivers', async () => {
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
})

test('W5: what is downloaded is no clip: three in a row pause the account', async () => {
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

test('W5: the line starts with one order, doubles with each acceptance, and is at full speed within 2 s', async () => {
  let running = 0
  let accepted = 0
  const excess: unknown[] = []
  await start(
    fakeOf({
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
  await bulk(user, 40)
  await engine.advance(2_000)
  expect(engine.fake.entries()).toHaveLength(40)
  expect(excess).toEqual([])
  await engine.settle()
})

test.each([
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

test('if one of them names a longer pause, the account rests for that long', async () => {
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

test('an account that rested after a stray 401: once one order is accepted, all others follow at once', async () => {
  await start(
    fakeOf({
      deps: ({ provider }) => ({ provider: { ...provider, check: () => Promise.resolve() } }),
    }),
  )
  const user = await hurried()
  await bulk(user, 10)
  await engine.settle()
  engine.fake.play({ ...FAST, rules: [{ when: { op: 'submit' }, do: { status: 401 }, times: 1 }] })
  await generate(user)
  await engine.drain()
  await bulk(user, 5)
  await engine.advance(15_000)
  expect(engine.fake.entries()).toHaveLength(16)
  await engine.settle()
})
