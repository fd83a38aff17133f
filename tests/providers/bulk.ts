import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Flavour } from '../simulator/settings'
import { numbered, startScene, type Scene } from '../support/scene'

/** Pauses between look-ups are a twentieth of those in production. */
export const SCALE = { VIDEO_PROVIDER_TIME_SCALE: '0.05' }

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

/** Starts a service, orders the largest bulk from it, and kills the worker a second later. Another one goes on. */
export async function startKilledBulk(flavour: Flavour): Promise<Scene> {
  const scene = await startScene({
    flavour,
    scenario: { defaults: { submitLatencyMs: 150, generationMs: 1_000 } },
    env: SCALE,
  })
  const worker = await scene.product.startWorker()
  await orderBulk(scene)
  // What is tested is a kill at a moment that nobody chose.
  await sleep(1_000)
  await worker.kill()
  await scene.product.startWorker()
  return scene
}
