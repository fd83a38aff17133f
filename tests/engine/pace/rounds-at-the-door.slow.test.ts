import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../../support/engine/trials'
import type { ScenarioInput } from '../../simulator/scenario'
import { numbered, startScene, type Scene } from '../../support/scene'
import { until } from '../../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

// Measures the pace of a plan where the provider receives the orders: whatever delays the orders of
// one round, they must not arrive together with those of the next.
const SPEED = 2
const DELAY_SECONDS = 3
const ROUNDS = 3

const INTENT_WRITTEN = `after:state = 'submitting', sent_at`
const FROZEN_MS = 3_000

/** What happens to the first round: how the workers run, and how the provider responds. */
type Trouble = { rules?: ScenarioInput['rules']; run: (scene: Scene) => Promise<unknown> }

const startWorker = ({ product }: Scene) => product.startWorker()
const firstOrders = (response: {
  status: number
  retryAfter?: number
  latencyMs?: number
}): Trouble => ({
  rules: [{ when: { op: 'submit' }, times: SPEED, do: response }],
  run: startWorker,
})
/**
 * A refused order goes out again two seconds later: pauses are a hundredth of those in production.
 */
const RETRY_AFTER = 200

const TROUBLES: Record<string, Trouble> = {
  'a worker is killed between two rounds': {
    // Its clips are not finished when the worker is killed: a download in progress would be
    // repeated.
    rules: [{ when: { op: 'submit' }, do: { generationMs: 4_000 } }],
    run: async (scene) => {
      const [doomed] = await Promise.all([startWorker(scene), startWorker(scene)])
      await until('the first round', () => scene.sim.stats().ordersAccepted >= SPEED)
      await doomed.kill()
    },
  },
  'a worker is killed before it sends': {
    run: async (scene) => {
      const doomed = await scene.startDoomed(INTENT_WRITTEN)
      await doomed.ended
      await startWorker(scene)
    },
  },
  'a worker is frozen before it sends': {
    run: async (scene) => {
      const sleeper = await scene.startDoomed(INTENT_WRITTEN, 'SIGSTOP')
      await until('the worker to freeze', () => sleeper.output().includes('frozen at'))
      await startWorker(scene)
      await sleep(FROZEN_MS)
      sleeper.child.kill('SIGCONT')
    },
  },
  'the provider has no capacity for its orders': firstOrders({
    status: 503,
    retryAfter: RETRY_AFTER,
  }),
  'the provider refuses its orders after a long delay': firstOrders({
    status: 503,
    retryAfter: RETRY_AFTER / 4,
    latencyMs: 13_000,
  }),
  'it is unknown whether its orders were accepted': firstOrders({ status: 500 }),
}

test.each(Object.entries(TROUBLES))(
  'W-JOB-3: %s: no order of the next round reaches the provider early',
  async (_name, { rules = [], run }) => {
    const scene = await startScene({ flavour: 'openai', scenario: { rules } })
    const { sim } = scene
    const user = await scene.user({ speed_limit: SPEED, video_generation_speed: DELAY_SECONDS })
    await user.post('/api/videos/bulk-generate', { prompts: numbered('kite', SPEED * ROUNDS) })
    await run(scene)
    await scene.allAreDelivered()
    const at = sim
      .accepted()
      .map(({ arrivedAt }) => arrivedAt)
      .sort((one, other) => one - other)
    for (const [i, later] of at.slice(SPEED).entries()) {
      expect(later - (at[i] ?? NaN)).toBeGreaterThanOrEqual(DELAY_SECONDS * 1_000)
    }
    await scene.expectNothingWasted()
  },
)
