import { expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../../support/engine/trials'
import { attemptsOf, numbered, orderVideos, startScene } from '../../support/scene'
import { until } from '../../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

/** A line starts slowly: after the clips of the first orders it hands over all. */
const BEFORE = 4
/** As many as may be unanswered while no recent order was accepted. */
const ORDERS = 4
const RETRY_AFTER_S = 4

test('W-FAULT: a 429 arrives while other orders are already queued for sending: none of them is sent before the Retry-After time', async () => {
  // The first order of the batch occupies the only sender until all the others are queued behind it.
  const refused = { status: 429, retryAfter: RETRY_AFTER_S, latencyMs: 10_000 }
  const scene = await startScene({
    flavour: 'vertex-veo',
    scenario: { rules: [{ when: { op: 'submit', nth: BEFORE + 1 }, do: refused }] },
    env: { WORKER_CONCURRENCY: '1' },
  })
  const { sim, product } = scene
  const user = await scene.user({ video_generation_speed: 0, plan: 'Enterprise' })
  await product.startWorker()
  await orderVideos(user, numbered('A first boat', BEFORE))
  await scene.allAreDelivered()
  await user.post('/api/videos/bulk-generate', { prompts: numbered('A waiting boat', ORDERS) })
  await until(
    'all videos to be handed over',
    async () => (await attemptsOf(product)).length === BEFORE + ORDERS,
  )
  const submits = () => sim.journal().filter(({ op }) => op === 'submit')
  expect(submits()).toHaveLength(BEFORE)
  await scene.allAreDelivered()
  const [first, ...others] = submits().slice(BEFORE)
  expect(first).toMatchObject({ status: 429, accepted: false })
  expect(others).toHaveLength(ORDERS)
  const openAt = (first?.at ?? NaN) + RETRY_AFTER_S * 1_000
  const arrivals = sim.accepted().map(({ arrivedAt }) => arrivedAt)
  expect(Math.min(...arrivals.slice(BEFORE))).toBeGreaterThanOrEqual(openAt)
  await scene.expectNothingWasted()
})
