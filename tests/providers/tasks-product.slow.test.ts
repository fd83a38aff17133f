import { expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../support/engine/trials'
import { attemptsOf, numbered, startScene } from '../support/scene'
import { until } from '../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

/** Pauses between look-ups are a twentieth of those in production. */
const SCALE = { VIDEO_PROVIDER_TIME_SCALE: '0.05' }
const PROMPTS = 12

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
    await user.post('/api/videos/bulk-generate', { prompts: numbered('A paid kite', PROMPTS) })
    expect(await doomed.ended).toBeNull()
    await until('an order that the product does not know', () => sim.stats().ordersAccepted > 0)
    await product.startWorker()
    await until('the last order', () => sim.stats().ordersAccepted >= PROMPTS)
    await scene.allAreDelivered()
    expect(sim.stats().ordersPerPrompt).toEqual(
      Object.fromEntries(Object.keys(sim.stats().ordersPerPrompt).map((prompt) => [prompt, 1])),
    )
    const states = (await attemptsOf(product)).map(({ state }) => state)
    expect(states.filter((state) => state !== 'done' && state !== 'abandoned')).toEqual([])
    await scene.expectNothingWasted()
  },
)
