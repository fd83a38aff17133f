import { expect, test } from 'vitest'
import type { Flavour } from '../simulator/settings'
import { orderVideo, startScene, type SceneUser } from '../support/scene'
import { until } from '../support/wait'

type Making = { id: string; percent: number | null; seconds: number }

/** Returns the progress that the header of the polled calls reports. */
async function making(user: SceneUser): Promise<Making | undefined> {
  const { headers } = await user.get('/api/batches')
  const pulse = JSON.parse(headers.get('x-pulse') ?? 'null') as { making: Making[] }
  return pulse.making[0]
}

test.each<[Flavour, boolean]>([
  ['runway', true],
  ['gateway', true],
  ['vertex-veo', false],
])(
  'U-STAT-1: a video’s progress as %s reports it, or the time since it was started',
  async (flavour, isTold) => {
    const scene = await startScene({
      flavour,
      scenario: { defaults: { generationMs: 6_000 } },
      env: { VIDEO_PROVIDER_TIME_SCALE: '0.1' },
    })
    const user = await scene.user()
    const id = await orderVideo(user, 'A slow river')
    await scene.product.startWorker()
    const some = await until('progress', async () => {
      const one = await making(user)
      return one && (isTold ? (one.percent ?? 0) > 0 && one : one.seconds > 0 && one)
    })
    expect(some.id).toBe(id)
    expect(some.percent === null).toBe(!isTold)
    expect(some.percent ?? 0).toBeLessThanOrEqual(100)
    await scene.allAreDelivered()
    expect(await making(user)).toBeUndefined()
    await scene.expectNothingWasted()
  },
)
