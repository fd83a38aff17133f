import { afterEach, beforeEach, expect, test } from 'vitest'
import { addPoolToken } from '../../../app/domain/tokens/pool.server'
import { wakeHeld } from '../../../app/domain/videos/engine/held.server'
import { clipsOf } from '../../../app/domain/videos/engine/gates.server'
import { generate, quotaOf, videosOf } from '../../support/engine/actions'
import { closedGates } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'

const { engine, start } = useFreshEngine()
beforeEach(() => start())
afterEach(async () => expect(await engine.sweep()).toBe(0))

const FAST = { defaults: { generationMs: 20_000 } }
const submits = () => engine.fake.calls().filter(({ op }) => op === 'submit')
const answering = (action: object, times?: number) =>
  engine.fake.play({
    ...FAST,
    rules: [{ when: { op: 'submit' }, do: action, ...(times === undefined ? {} : { times }) }],
  })

async function attemptStates(): Promise<string[]> {
  const { rows } = await engine.pool.query<{ state: string }>(
    'select state::text from attempts order by created_at',
  )
  return rows.map(({ state }) => state)
}

test('the provider is unreachable: the line waits with a reason, no attempt or unit is used up, and work resumes by itself', async () => {
  answering({ status: 599 })
  const user = await engine.user({ plan: 'Business' })
  for (let i = 0; i < 5; i++) await generate(user)
  await engine.advance(300_000)
  expect(await closedGates(engine)).toEqual([{ scope: 'service fake', reason: 'down' }])
  // One probe at a time, every twelve seconds or so: no flood of requests to a provider that is
  // down.
  expect(submits().length).toBeLessThan(5 + 300_000 / 5_000)
  expect((await videosOf(engine, user)).map(({ status }) => status)).not.toContain('error')
  expect(await attemptStates()).not.toContain('failed')
  expect(await quotaOf(engine, user)).toMatchObject({ reserved: 5 })
  engine.fake.play(FAST)
  await engine.advance(60_000)
  expect(await closedGates(engine)).toEqual([])
  await engine.settle()
  expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 5 } })
})

test('the circuit breaker: five refusals in a row close the service, one success opens it', async () => {
  answering({ status: 503 }, 5)
  const user = await engine.user({ plan: 'Enterprise' })
  for (let i = 0; i < 5; i++) await generate(user)
  await engine.drain()
  expect(await closedGates(engine)).toEqual([{ scope: 'service fake', reason: 'down' }])
  const before = submits().length
  for (let i = 0; i < 4; i++) await generate(user)
  await engine.advance(2_000)
  expect(submits()).toHaveLength(before)
  await engine.settle()
  expect(await closedGates(engine)).toEqual([])
  expect((await videosOf(engine, user)).map(({ status }) => status)).toEqual(
    Array.from({ length: 9 }, () => 'completed'),
  )
})

test.each([
  ['forbidden', 403],
  ['rate-limited', 429],
])('an account that is %s is closed alone; another account continues', async (reason, status) => {
  await engine.close()
  await start({ can: { needsCredential: true } })
  const admin = await engine.admin()
  await addPoolToken(admin, 'one:0123456789')
  await addPoolToken(admin, 'two:0123456789')
  engine.fake.play({
    ...FAST,
    rules: [{ when: { op: 'submit', token: 'one:0123456789' }, do: { status } }],
  })
  const [mine, other] = [await engine.user({ plan: 'Enterprise' }), await engine.user()]
  // A 403 may be caused by a video. Three different ones speak against the account.
  for (let i = 0; i < 3; i++) await generate(mine)
  await engine.drain()
  expect(await closedGates(engine)).toEqual([
    { scope: expect.stringMatching(/^one#/) as string, reason },
  ])
  await generate(other)
  await engine.advance(30_000)
  expect((await videosOf(engine, other))[0]).toMatchObject({ status: 'completed' })
  engine.fake.play(FAST)
  await engine.settle()
  expect((await videosOf(engine, mine))[0]).toMatchObject({ status: 'completed' })
  expect(await attemptStates()).not.toContain('failed')
})

test('W-FAULT: three videos with a 403 stop the account for about a minute; once one order is accepted, all others follow at once', async () => {
  answering({ status: 403 }, 3)
  const user = await engine.user({ plan: 'Enterprise' })
  for (let i = 0; i < 3; i++) await generate(user)
  // Orders that are sent at the same time as the refused ones would not wait.
  await engine.drain()
  for (let i = 0; i < 2; i++) await generate(user)
  await engine.advance(58_000)
  expect(submits()).toHaveLength(3)
  await engine.advance(16_000)
  expect(await closedGates(engine)).toEqual([])
  expect(submits().length).toBeGreaterThanOrEqual(5)
  await engine.settle()
  expect(engine.fake.entries()).toHaveLength(5)
})

/** Starts the engine with a gate that is closed while the first order connects, or once it may be sent. */
async function startClosing(when: 'while it connects' | 'once it may start') {
  await engine.close()
  let isClosed = false
  const close = () =>
    engine.pool.query(
      `insert into provider_gates (scope, reason, closed_until, probe_ms, closed_at)
       values ('fake', 'rate-limited', engine_now() + interval '60 seconds', 10000, engine_now())`,
    )
  await start({
    scenario: FAST,
    deps: ({ provider }) => ({
      provider: {
        ...provider,
        submit: (request, credential, call) => {
          const mayStart = async () => {
            const isFirst = !isClosed
            isClosed = true
            if (isFirst && when === 'while it connects') await close()
            const may = await call.mayStart()
            if (isFirst && when === 'once it may start') await close()
            return may
          }
          return provider.submit(request, credential, { ...call, mayStart })
        },
      },
    }),
  })
}

test('an order that was sent before a 429 and is accepted after it does not open the gate', async () => {
  await startClosing('once it may start')
  const user = await engine.user({ plan: 'Enterprise' })
  await generate(user)
  await engine.drain()
  await generate(user)
  await engine.advance(59_000)
  expect(submits()).toHaveLength(1)
  await engine.advance(2_000)
  expect(submits()).toHaveLength(2)
  await engine.settle()
})

test('issue 50.13: a gate that is closed while an order connects holds it back, and the video waits', async () => {
  await startClosing('while it connects')
  const user = await engine.user({ plan: 'Enterprise' })
  await generate(user)
  await engine.advance(59_000)
  expect(submits()).toHaveLength(0)
  await engine.settle()
  expect(submits()).toHaveLength(1)
  expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
})

test('held videos continue at once when an administrator reports that the cause is gone', async () => {
  answering({ status: 403 })
  const user = await engine.user({ plan: 'Enterprise' })
  for (let i = 0; i < 3; i++) await generate(user)
  await engine.advance(1_000)
  engine.fake.play(FAST)
  await wakeHeld(engine.deps, 'forbidden')
  await engine.advance(1_000)
  expect(submits()).toHaveLength(6)
  await engine.settle()
  expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
})

test('W-FAULT: while the host of finished clips is unavailable no order is sent; after the pause one is a probe, and its clip releases all', async () => {
  engine.fake.play(FAST)
  const user = await engine.user({ plan: 'Business' })
  const close = (seconds: number) =>
    engine.pool.query(
      `insert into provider_gates (scope, reason, closed_until, probe_ms)
       values ($1, 'clips', engine_now() + make_interval(secs => $2), 1000)`,
      [clipsOf({ kind: 'fake' }), seconds],
    )
  await close(60)
  for (let i = 0; i < 3; i++) await generate(user)
  await engine.advance(59_000)
  expect(submits()).toHaveLength(0)
  await engine.advance(2_000)
  // The line is processed when a user orders.
  await generate(user)
  await engine.drain()
  expect(submits()).toHaveLength(1)
  await engine.advance(25_000)
  expect(submits()).toHaveLength(4)
  expect(await closedGates(engine)).toEqual([])
  await engine.settle()
})

test('Q-55: orders per minute and orders under way stay within the provider’s limits', async () => {
  await engine.close()
  await start({ can: { submitsPerMinute: 10, maxInFlight: 4 }, scenario: FAST })
  const users = [
    await engine.user({ plan: 'Enterprise' }),
    await engine.user({ plan: 'Enterprise' }),
  ]
  for (const user of users) for (let i = 0; i < 12; i++) await generate(user)
  await engine.settle()
  const times = submits().map(({ at }) => at)
  expect(times).toHaveLength(24)
  for (const [i, at] of times.entries()) {
    const inMinute = times.filter((other) => other > at - 60_000 && other <= at).length
    expect([i, inMinute <= 10]).toEqual([i, true])
  }
  const open = times.map((at) => times.filter((other) => other <= at && other > at - 20_000).length)
  expect(Math.max(...open)).toBeLessThanOrEqual(4)
})
