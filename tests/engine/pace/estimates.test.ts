import { afterEach, expect } from 'vitest'
import { bulk, generate } from '../../support/engine/actions'
import { useFreshEngine } from '../../support/engine/shared-engine'
import type { ScenarioInput } from '../../simulator/scenario'
import { slowTest, test } from '../../support/slow'

const { engine, start } = useFreshEngine()
afterEach(async () => expect(await engine.sweep()).toBe(0))

const generationMs = 40_000

/** Makes singles one after another on a slow machine, then checks what a batch of ten is told. */
async function expectRightEstimate(
  prompts: readonly string[],
  rules: NonNullable<ScenarioInput['rules']> = [],
) {
  await start({
    can: { atOnce: 1, maxInFlight: 3, expectedMs: 6_000 },
    scenario: { defaults: { generationMs }, rules },
  })
  const user = await engine.user({ plan: 'Enterprise', video_generation_speed: 0 })
  for (const prompt of prompts) {
    await generate(user, prompt)
    await engine.settle()
  }
  const { finishEstimate } = await bulk(user, 10)
  const leftMs = Date.parse(finishEstimate ?? '') - (await engine.clock.now())
  expect(leftMs).toBeGreaterThan(10 * generationMs * 0.75)
  expect(leftMs).toBeLessThan(10 * generationMs * 1.5)
  await engine.settle()
}

test('U-BULK-7: singles made one after another tell how long a batch will take on a slow machine', () =>
  expectRightEstimate(['a kite', 'a kite']))

slowTest('U-BULK-7: a delivery that an outage held up does not count', () =>
  expectRightEstimate(
    ['a lake', 'held up', 'a hill', 'a road'],
    [{ when: { op: 'submit', promptIncludes: 'held up' }, do: { generationMs: 600_000 } }],
  ),
)
