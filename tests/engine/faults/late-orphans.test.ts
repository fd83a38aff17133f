import { expect, test } from 'vitest'
import { getPulse } from '../../../app/domain/videos/gallery/progress.server'
import { storeDefaultCredential } from '../../../app/domain/tokens/credentials.server'
import type { UserCtx } from '../../../app/domain/context'
import { DEFAULT_TOKEN } from '../../simulator/settings'
import type { ScenarioInput } from '../../simulator/scenario'
import { generate, quotaOf } from '../../support/engine/actions'
import { onlyVideo, orphansIn } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'

// With clips in a bucket, an order without a response can be seen only when its clip is finished;
// elsewhere, without a list, never. It waits only as long as the provider usually takes.

const { engine, start: startEngine } = useFreshEngine()

const MINUTE = 60_000
const usual = (ms: number, more: ScenarioInput = {}): ScenarioInput => ({
  defaults: { generationMs: ms },
  ...more,
})

async function start(scenario: ScenarioInput): Promise<void> {
  await startEngine({ flavour: 'vertex-veo', scenario })
  await storeDefaultCredential(engine.deps, DEFAULT_TOKEN)
}

/** Delivers some videos, so that it is known how long the provider takes. */
async function deliver(count: number): Promise<void> {
  const user = await engine.user({ plan: 'Enterprise' })
  for (let i = 0; i < count; i++) await generate(user, `before ${i}`)
  await engine.settle()
}

const orders = () => engine.sim?.stats().ordersAccepted

async function lose(fault: string, generationMs: number): Promise<UserCtx> {
  const rule = { when: { op: 'submit' as const }, times: 1, do: { fault, generationMs } }
  engine.sim?.play({ defaults: { generationMs: 30_000 }, rules: [rule as never] })
  const user = await engine.user()
  await generate(user, 'the lost one')
  await engine.advance(10_000)
  return user
}

test('W-FAULT: an order without a response is settled after three minutes, not at its deadline, and the user sees until when it is checked', async () => {
  await start(usual(30_000))
  await deliver(3)
  const user = await lose('drop-before-accept', 30_000)
  const { making } = await getPulse(user)
  const until = Date.parse(making[0]?.checkedUntil ?? '')
  expect(Math.abs(until - engine.clock.nowHere() - 3 * MINUTE + 10_000)).toBeLessThan(15_000)
  await engine.advance(2.5 * MINUTE)
  expect(await onlyVideo(engine, user)).toMatchObject({ status: 'generating' })
  await engine.advance(1.5 * MINUTE)
  expect(await onlyVideo(engine, user)).toMatchObject({ status: 'completed' })
  expect(await orphansIn(engine)).toBe(1)
  await engine.settle()
})

test('W-FAULT: a provider that takes five minutes: a lost order is waited for as long as its slowest deliveries suggest, and found', async () => {
  await start(usual(5 * MINUTE))
  await deliver(3)
  const user = await lose('drop-after-accept', 12 * MINUTE)
  await engine.advance(13 * MINUTE)
  expect(await onlyVideo(engine, user)).toMatchObject({ status: 'completed' })
  expect(await orphansIn(engine)).toBe(0)
  expect(orders()).toBe(4)
  await engine.settle()
})

test('W-FAULT: without any look-up the same rule holds: four times the slowest deliveries, and the user sees until when', async () => {
  const scenario = usual(2 * MINUTE)
  await startEngine({ can: { recover: 'none' }, scenario })
  await deliver(3)
  const rule = {
    when: { op: 'submit' as const },
    times: 1,
    do: { fault: 'drop-before-accept' as const },
  }
  engine.fake.play({ ...scenario, rules: [rule] })
  const user = await engine.user()
  await generate(user, 'the lost one')
  await engine.advance(MINUTE)
  const { making } = await getPulse(user)
  const restMs = Date.parse(making[0]?.checkedUntil ?? '') - engine.clock.nowHere()
  expect(Math.abs(restMs - 7 * MINUTE)).toBeLessThan(30_000)
  await engine.advance(6.5 * MINUTE)
  expect(await orphansIn(engine)).toBe(0)
  await engine.advance(MINUTE)
  expect(await orphansIn(engine)).toBe(1)
  await engine.settle()
  expect(await onlyVideo(engine, user)).toMatchObject({ status: 'completed' })
})

test('W-FAULT: without any look-up an order of a fast provider is settled after three minutes', async () => {
  await startEngine({ can: { recover: 'none' }, scenario: usual(20_000) })
  await deliver(3)
  const rule = {
    when: { op: 'submit' as const },
    times: 1,
    do: { fault: 'drop-before-accept' as const },
  }
  engine.fake.play({ ...usual(20_000), rules: [rule] })
  await generate(await engine.user(), 'the lost one')
  await engine.advance(2.8 * MINUTE)
  expect(await orphansIn(engine)).toBe(0)
  await engine.advance(0.5 * MINUTE)
  expect(await orphansIn(engine)).toBe(1)
  await engine.settle()
})

test('W-FAULT: the clip of an order that was written off turns up while its video waits: the video gets it, and nothing more is ordered', async () => {
  await start(usual(30_000))
  await deliver(3)
  const user = await lose('drop-after-accept', 6 * MINUTE)
  // The account refuses orders meanwhile, so that the video stays in the line.
  engine.sim?.play({
    ...usual(30_000),
    rules: [{ when: { op: 'submit' }, do: { status: 403 } }],
  })
  await engine.advance(4 * MINUTE)
  expect(await orphansIn(engine)).toBe(1)
  await engine.advance(4 * MINUTE)
  expect(await onlyVideo(engine, user)).toMatchObject({ status: 'completed' })
  expect(await orphansIn(engine)).toBe(0)
  expect(orders()).toBe(4)
  expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 1 } })
  await engine.settle()
})

test('W-FAULT: the clip turns up after the video has failed: it is delivered free of charge', async () => {
  await start(usual(30_000))
  await deliver(3)
  const lost = {
    when: { op: 'submit' as const },
    do: { fault: 'drop-after-accept' as const, generationMs: 15 * MINUTE },
  }
  engine.sim?.play({ ...usual(30_000), rules: [lost] })
  const user = await engine.user()
  await generate(user, 'lost twice')
  await engine.advance(9 * MINUTE)
  expect(await onlyVideo(engine, user)).toMatchObject({ status: 'error', errorCode: 'unknown' })
  engine.sim?.play(usual(30_000))
  await engine.settle()
  expect(await onlyVideo(engine, user)).toMatchObject({ status: 'completed', errorCode: null })
  expect(await quotaOf(engine, user)).toMatchObject({ lines: { returned: 1 } })
})

test('W-FAULT: a response that comes after its order was given up: the waiting video gets that clip, and nothing more is ordered', async () => {
  let isFirst = true
  await startEngine({
    scenario: usual(20_000),
    deps: ({ provider }) => ({
      provider: {
        ...provider,
        submit: async (...args) => {
          const ref = await provider.submit(...args)
          if (isFirst) await giveUp(args[2].attemptId)
          isFirst = false
          return ref
        },
      },
    }),
  })
  const user = await engine.user()
  await generate(user)
  await engine.advance(3 * MINUTE)
  expect(await onlyVideo(engine, user)).toMatchObject({ status: 'completed' })
  expect(engine.fake.entries()).toHaveLength(1)
  await engine.settle()
})

/** Gives an order up as a look-up does that does not find it. Its video waits for five minutes. */
const giveUp = (attemptId: string) =>
  engine.pool.query(
    `with ended as (
       update attempts set state = 'abandoned', settled_at = engine_now(), lease_token = null
       where id = $1 returning attempts as attempt)
     select requeue_generation(ended.attempt, 300000, 'transient', '', 10, 10) from ended`,
    [attemptId],
  )
