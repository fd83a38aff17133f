import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../support/engine/chance'
import type { TestProcess } from '../support/processes'
import { attemptsOf, numbered, orderVideos, startScene, workersOf } from '../support/scene'
import { until } from '../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

// A worker is frozen when it has written that it sends an order and has not sent it: it cannot know
// what the others have made of that when it goes on.
const INTENT_WRITTEN = 'after:"submitting".*"queued"'
/** Longer than an intent is good for (8 s), shorter than its lease (15 s). */
const FROZEN_MS = 10_000
const ORDERS = 4

const isFrozen = (worker: TestProcess) =>
  until('the worker to freeze', () => worker.output().includes('frozen at the named moment'))

test('W-FAULT: a worker frozen for 10 s before it sends sends nothing on its old intents: they are given back, each order goes out once', async () => {
  const scene = await startScene({ flavour: 'vertex-veo' })
  const { sim, product } = scene
  const sleeper = await scene.startDoomed(INTENT_WRITTEN, 'SIGSTOP')
  await orderVideos(await scene.user(), numbered('A frozen lake', ORDERS))
  await isFrozen(sleeper)
  await sleep(FROZEN_MS)
  const caught = (await attemptsOf(product)).filter(({ state }) => state === 'submitting')
  expect(caught.length).toBeGreaterThan(0)
  sleeper.child.kill('SIGCONT')
  await scene.allAreDelivered()
  for (const { id } of caught) expect(sim.accepted({ attemptId: id })).toEqual([])
  const ends = (await attemptsOf(product)).filter((end) => caught.some(({ id }) => id === end.id))
  expect(ends.map(({ state }) => state)).toEqual(caught.map(() => 'abandoned'))
  await scene.expectNothingWasted()
})

test('W-FAULT: a worker is frozen before it sends until another has made its videos: it wakes up and sends nothing', async () => {
  const scene = await startScene({ flavour: 'openai' })
  const { sim, product } = scene
  const sleeper = await scene.startDoomed(INTENT_WRITTEN, 'SIGSTOP')
  await orderVideos(await scene.user(), numbered('A frozen sea', ORDERS))
  await isFrozen(sleeper)
  await product.startWorker()
  await scene.allAreDelivered()
  expect(sim.stats().ordersAccepted).toBe(ORDERS)
  expect(await workersOf(product)).toHaveLength(1)
  sleeper.child.kill('SIGCONT')
  await until('the frozen one to be back', async () => (await workersOf(product)).length === 2)
  // Whatever it still had in hand is over when it has left in good order.
  sleeper.child.kill('SIGTERM')
  expect(await sleeper.ended).toBe(0)
  await scene.expectNothingWasted()
})
