import { expect } from 'vitest'
import { numbered, type Scene } from '../support/scene'

/** The prompts of the largest bulk. */
export const PROMPTS = numbered('A kite of its own', 100)

/** Orders landscape videos of all prompts. */
export async function orderBulk(scene: Scene, prompts = PROMPTS): Promise<void> {
  const user = await scene.user({ video_generation_speed: 50 })
  const fields = { prompts, aspectRatio: 'landscape' }
  const { status } = await user.post('/api/videos/bulk-generate', fields)
  expect(status).toBe(201)
}

/** Checks by the service's own records: one order for each prompt, all of the shape that was asked for. */
export async function expectEachOnce(scene: Scene, prompts = PROMPTS): Promise<void> {
  await scene.allAreDelivered()
  await scene.expectNothingWasted()
  const orders = scene.sim.orders()
  expect(orders.map(({ prompt }) => prompt).sort()).toEqual([...prompts].sort())
  const shapes = new Set(
    orders.map(({ width, height, seconds }) => `${width}x${height} ${seconds}`),
  )
  expect([...shapes]).toEqual([expect.stringMatching(/^1280x720 [45]$/)])
}
