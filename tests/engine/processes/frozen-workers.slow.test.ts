import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { Flavour } from '../../simulator/settings'
import { IS_LONG, openRng, PATIENCE_MS, SEED, trials, type Rng } from '../../support/engine/trials'
import type { TestProcess } from '../../support/processes'
import { attemptsOf, numbered, orderVideos, startScene, workersOf } from '../../support/scene'
import { until } from '../../support/wait'
import { order } from '../../support/attempt-progress'

vi.setConfig({ testTimeout: PATIENCE_MS })

// Each worker is frozen after it has written its intent to send an order and before it sends it.
// When it wakes up it cannot know what the other workers have done with that attempt.
const INTENT_WRITTEN = `after:state = 'submitting', sent_at`
/** Longer than an intent is valid (8 s), shorter than its lease (15 s). */
const FROZEN_MS = 10_000
const ORDERS = 4

const FROZEN = 'frozen at the named moment'
const isFrozen = (worker: TestProcess) =>
  until('the worker to freeze', () => worker.output().includes(FROZEN))

/** Orders videos and freezes the only worker after it has written its intents to order them. */
async function freezeBeforeSending(flavour: Flavour) {
  const scene = await startScene({ flavour })
  const sleeper = await scene.startDoomed(INTENT_WRITTEN, 'SIGSTOP')
  await orderVideos(await scene.user(), numbered('A frozen lake', ORDERS))
  await isFrozen(sleeper)
  return { scene, sleeper }
}

test('W-FAULT: a worker that is frozen for 10 s before it sends: its old intents are abandoned, and each order goes out once', async () => {
  const { scene, sleeper } = await freezeBeforeSending('vertex-veo')
  const { sim, product } = scene
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
  const { scene, sleeper } = await freezeBeforeSending('openai')
  const { sim, product } = scene
  await product.startWorker()
  await scene.allAreDelivered()
  expect(sim.stats().ordersAccepted).toBe(ORDERS)
  expect(await workersOf(product)).toHaveLength(1)
  sleeper.child.kill('SIGCONT')
  await until('the frozen worker to be back', async () => (await workersOf(product)).length === 2)
  // Its remaining steps have ended once it has exited cleanly.
  sleeper.child.kill('SIGTERM')
  expect(await sleeper.ended).toBe(0)
  await scene.expectNothingWasted()
})

/** Workers frozen at a time. Each of them holds connections while it is frozen. */
const PACK = IS_LONG ? 5 : 2
const PACKS = trials(1, 30)
const MOST_FROZEN_MS = IS_LONG ? 90_000 : 15_000
/**
 * Not Vertex, which reports only at an order's deadline that it was never taken
 * (docs/providers.md).
 */
const FLAVOURS = ['openai', 'runway'] as const
const packs = Array.from({ length: PACKS }, (_, n) => ({ n, flavour: FLAVOURS[n % 2] ?? 'openai' }))

describe('W-FAULT: workers are frozen after they have written their intents and wake up one after the other', () => {
  let caught = 0
  test.each(packs)(`$flavour: each order goes out once (pack $n, seed ${SEED})`, async (pack) => {
    caught += await freezePack(openRng(pack.n), pack.flavour)
  })
  test(`at least ${trials(1, 200)} intents were frozen`, () => {
    expect(caught).toBeGreaterThanOrEqual(trials(1, 200))
  })
})

/**
 * Freezes workers that have written intents and wakes each after a while. Returns the number of
 * intents.
 */
async function freezePack(rng: Rng, flavour: Flavour): Promise<number> {
  const scene = await startScene({ flavour })
  const user = await scene.user({ video_limit: 1000, speed_limit: 1000 })
  // All start before there is anything to send: a worker that freezes while it starts never reports
  // that it is ready.
  const sleepers = await Promise.all(
    Array.from({ length: PACK }, () => scene.startDoomed(INTENT_WRITTEN, 'SIGSTOP')),
  )
  const areFrozen = () => sleepers.every((sleeper) => sleeper.output().includes(FROZEN))
  await until('all workers to freeze', async () => {
    // A worker that froze in a transaction keeps rows locked for ten seconds, so the users retry.
    await Promise.all(Array.from({ length: ORDERS }, () => order(user, randomUUID())))
    return areFrozen()
  })
  const caught = (await attemptsOf(scene.product)).filter(({ state }) => state === 'submitting')
  await scene.product.startWorker()
  await Promise.all(
    sleepers.map(async (sleeper) => {
      await sleep(5_000 + rng.below(MOST_FROZEN_MS - 5_000))
      sleeper.child.kill('SIGCONT')
    }),
  )
  await scene.allAreDelivered()
  await scene.expectNothingWasted()
  return caught.length
}
