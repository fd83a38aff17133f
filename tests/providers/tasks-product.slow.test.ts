import { expect, test, vi } from 'vitest'
import { findViolations } from '../support/invariants'
import { IS_PART, openRng, PATIENCE_MS } from '../support/engine/trials'
import { attemptsOf, numbered, startScene } from '../support/scene'
import { until } from '../support/wait'
import { SERVICE_NAMES } from '../simulator/tasks-services'
import { expectEachOnce, orderBulk, PROMPTS, SCALE, startKilledBulk } from './bulk'

vi.setConfig({ testTimeout: PATIENCE_MS })

const FEW = 12

/** What can be found again: by our own id, by a list with running orders, by a history of ended ones. */
test.each(['kling', 'replicate', 'fal'] as const)(
  'issue 52: %s: a bulk whose worker is killed while the service has an order of it, and whose answers are lost: each prompt is ordered and paid once',
  async (flavour) => {
    const lost = {
      when: { op: 'submit' as const, nth: 5 },
      do: { fault: 'drop-after-accept' as const },
    }
    const broken = { when: { op: 'submit' as const, nth: 8 }, do: { fault: 'half-json' as const } }
    const scene = await startScene({ flavour, scenario: { rules: [lost, broken] }, env: SCALE })
    const { sim, product } = scene
    const doomed = await scene.startDoomed(`before:state = 'submitted', ref`)
    const user = await scene.user({ video_generation_speed: 1 })
    await user.post('/api/videos/bulk-generate', { prompts: numbered('A paid kite', FEW) })
    expect(await doomed.ended).toBeNull()
    await until('an order that the product does not know', () => sim.stats().ordersAccepted > 0)
    await product.startWorker()
    await until('the last order', () => sim.stats().ordersAccepted >= FEW)
    await scene.allAreDelivered()
    expect(sim.stats().ordersPerPrompt).toEqual(
      Object.fromEntries(Object.keys(sim.stats().ordersPerPrompt).map((prompt) => [prompt, 1])),
    )
    const states = (await attemptsOf(product)).map(({ state }) => state)
    expect(states.filter((state) => state !== 'done' && state !== 'abandoned')).toEqual([])
    await scene.expectNothingWasted()
  },
)

/** One of all in a run that has to be short. */
const drawn = IS_PART ? [openRng(52).pick(SERVICE_NAMES)] : SERVICE_NAMES
const FINDABLE: readonly string[] = ['kling', 'replicate', 'fal']

test.each(drawn)('issue 52: %s: a bulk of 100: 100 delivered, 100 orders', async (flavour) => {
  const scene = await startScene({ flavour, env: SCALE })
  await scene.product.startWorker()
  await orderBulk(scene)
  await expectEachOnce(scene)
})

test.each(drawn)(
  'issue 52: %s: a bulk of 100 whose worker is killed one second after: 100 delivered, and none ordered twice that is not on record',
  async (flavour) => {
    const scene = await startKilledBulk(flavour)
    if (FINDABLE.includes(flavour)) return expectEachOnce(scene)
    // What cannot be found again is written off as possibly paid, and ordered once more.
    await scene.allAreDelivered()
    const { db } = scene.product
    const { rows } = await db.query(`select 1 from attempts where state = 'orphaned'`)
    const counts = Object.values(scene.sim.stats().ordersPerPrompt)
    expect(counts).toHaveLength(PROMPTS.length)
    const twice = counts.filter((n) => n > 1)
    expect(twice.every((n) => n === 2)).toBe(true)
    expect(twice.length).toBeLessThanOrEqual(rows.length)
    expect(await findViolations(db)).toEqual({})
  },
)

test('issue 52: fal: the waiting orders of a cancelled batch are withdrawn, and their units return', async () => {
  const scene = await startScene({
    flavour: 'fal',
    scenario: { defaults: { generationMs: 3_600_000 } },
    env: SCALE,
  })
  const { product, sim } = scene
  await product.startWorker()
  const user = await scene.user({ video_generation_speed: 1 })
  const { body } = await user.post<{ batchId: string }>('/api/videos/bulk-generate', {
    prompts: numbered('A kite too many', 4),
  })
  await until('some orders to wait', () => sim.stats().ordersAccepted >= 3)
  expect((await user.post(`/api/batches/${body.batchId}/cancel`)).status).toBe(200)
  const ended = await until('all to end', async () => {
    const { rows } = await product.db.query<{ code: string | null }>(
      `select error_code as code from videos where status = 'error'`,
    )
    return rows.length === 4 && rows
  })
  expect(new Set(ended.map(({ code }) => code))).toEqual(new Set(['cancelled']))
  const { rows } = await product.db.query(`select 1 from quota_charges where state <> 'returned'`)
  expect(rows).toEqual([])
  expect(await findViolations(product.db)).toEqual({})
})
