import { afterEach, expect, test } from 'vitest'
import { bulk, generate } from '../support/engine/acts'
import { useFreshEngine } from '../support/engine/shared-engine'

const { engine, start } = useFreshEngine()
afterEach(async () => expect(await engine.sweep()).toBe(0))

test('U-BULK-7: singles made one after another tell how long a batch will take on a slow machine', async () => {
  const generationMs = 40_000
  await start({
    can: { atOnce: 1, maxInFlight: 3, expectedMs: 6_000 },
    scenario: { defaults: { generationMs } },
  })
  const user = await engine.user({ plan: 'Enterprise', video_generation_speed: 0 })
  for (let i = 0; i < 2; i++) {
    await generate(user)
    await engine.settle()
  }
  const { finishEstimate } = await bulk(user, 10)
  const leftMs = Date.parse(finishEstimate) - (await engine.clock.now())
  expect(leftMs).toBeGreaterThan(10 * generationMs * 0.75)
  expect(leftMs).toBeLessThan(10 * generationMs * 1.5)
  await engine.settle()
})

test('U-BULK-7: a delivery that an outage held up does not count', async () => {
  const generationMs = 40_000
  await start({
    can: { atOnce: 1, maxInFlight: 3, expectedMs: 6_000 },
    scenario: {
      defaults: { generationMs },
      rules: [{ when: { op: 'submit', promptIncludes: 'held up' }, do: { generationMs: 600_000 } }],
    },
  })
  const user = await engine.user({ plan: 'Enterprise', video_generation_speed: 0 })
  for (const prompt of ['a lake', 'held up', 'a hill', 'a road']) {
    await generate(user, prompt)
    await engine.settle()
  }
  const { finishEstimate } = await bulk(user, 10)
  const leftMs = Date.parse(finishEstimate) - (await engine.clock.now())
  expect(leftMs).toBeGreaterThan(10 * generationMs * 0.75)
  expect(leftMs).toBeLessThan(10 * generationMs * 1.5)
  await engine.settle()
})
