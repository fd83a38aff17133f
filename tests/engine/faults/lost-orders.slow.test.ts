import { expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../../support/engine/trials'
import { findViolations } from '../../support/invariants'
import { attemptsOf, isOwnClip, orderVideo, startScene, type Scene } from '../../support/scene'
import { until } from '../../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

// An order whose response was lost is looked up and never sent again while it can still appear.

/** Pauses between look-ups, and until one is final, are a twentieth of those in production. */
const SCALE = { VIDEO_PROVIDER_TIME_SCALE: '0.05' }

test('W-FAULT: the response to an order is lost, its prompt has line breaks and a negative prompt: the order is found and not paid for twice', async () => {
  const scene = await startScene({
    flavour: 'openai',
    scenario: {
      rules: [{ when: { op: 'submit' }, times: 1, do: { fault: 'drop-after-accept' } }],
    },
    env: SCALE,
  })
  await scene.product.startWorker()
  const user = await scene.user()
  const prompt = 'A red kite\nabove the sea.\n\n  Slowly,\tit turns. '
  await orderVideo(user, prompt, { negativePrompt: 'rain\nclouds' })
  await scene.allAreDelivered()
  expect((await attemptsOf(scene.product)).map(({ state }) => state)).toEqual(['done'])
  await scene.expectNothingWasted()
})

/**
 * Checks that an order that was never taken returns to the line before its deadline of 20 minutes.
 * The column has the time until which it is looked up by then.
 */
async function expectOrderedAgain({ product, sim }: Scene) {
  expect((await attemptsOf(product)).map(({ state }) => state)).toEqual(['abandoned', 'done'])
  const { rows } = await product.db.query<{ isInTime: boolean }>(
    `select settled_at < created_at + interval '20 minutes' as "isInTime" from attempts
     where state = 'abandoned'`,
  )
  expect(rows).toEqual([{ isInTime: true }])
  expect(sim.stats().ordersAccepted).toBe(1)
}

test('W-FAULT: a worker is killed between its intent and the order: the video does not wait for its deadline, one order is paid for', async () => {
  const scene = await startScene({ flavour: 'openai', env: SCALE })
  const doomed = await scene.startDoomed(`after:state = 'submitting', sent_at`)
  await orderVideo(await scene.user(), 'A kite without a string')
  expect(await doomed.ended).toBeNull()
  await scene.product.startWorker()
  await scene.allAreDelivered()
  await expectOrderedAgain(scene)
  await scene.expectNothingWasted()
})

test('W-FAULT: a worker is killed while it connects: its order was certainly not sent, so another worker sends it without a look-up', async () => {
  const scene = await startScene({ flavour: 'openai', env: SCALE })
  const doomed = await scene.startDoomed(`before:state = 'submitting', sent_at`)
  await orderVideo(await scene.user(), 'A kite that was never let go')
  expect(await doomed.ended).toBeNull()
  await scene.product.startWorker()
  await scene.allAreDelivered()
  expect((await attemptsOf(scene.product)).map(({ state }) => state)).toEqual(['done'])
  expect(scene.sim.stats().ordersAccepted).toBe(1)
  await scene.expectNothingWasted()
})

test('W-FAULT: an order gets a plain 500: the video does not wait for its deadline, one order is paid for', async () => {
  const scene = await startScene({
    flavour: 'openai',
    scenario: { rules: [{ when: { op: 'submit' }, times: 1, do: { status: 500 } }] },
    env: SCALE,
  })
  await scene.product.startWorker()
  await orderVideo(await scene.user(), 'A kite in a storm')
  await scene.allAreDelivered()
  await expectOrderedAgain(scene)
  await scene.expectNothingWasted()
})

test.each(['openai', 'vertex-veo'] as const)(
  'W-FAULT: %s gives the orders of two users the same id: each user gets their own clip',
  async (flavour) => {
    const scene = await startScene({
      flavour,
      scenario: {
        defaults: { generationMs: 3_000 },
        rules: [{ when: { op: 'submit', nth: 2 }, do: { fault: 'same-id' } }],
      },
      env: SCALE,
    })
    const { sim, product } = scene
    await product.startWorker()
    const [first, second] = [await scene.user(), await scene.user()]
    const videos = []
    for (const [user, prompt] of [
      [first, 'The first one’s boat'],
      [second, 'The second one’s garden'],
    ] as const) {
      videos.push({ user, prompt, id: await orderVideo(user, prompt) })
      await until('all orders to be accepted', () => sim.stats().ordersAccepted === videos.length)
    }
    await scene.allAreDelivered()
    for (const video of videos) expect(await isOwnClip(sim, video), video.prompt).toBe(true)
    // An order that was sent again is one more than there are videos. It may be an orphan, but it
    // must be on record.
    const { rowCount } = await product.db.query(`select 1 from attempts where state = 'orphaned'`)
    expect(rowCount).toBe(sim.stats().ordersAccepted - videos.length)
    expect(await findViolations(product.db)).toEqual({})
  },
)

test.each([
  ['another prompt', 'The first one’s secret', 'The second one’s garden'],
  ['the beginning of its prompt', 'A boat', 'A boat in a storm'],
])(
  'W-FAULT: the response to an order with %s is lost, and the next order gets its id: each user gets their own clip',
  async (_name, lostPrompt, nextPrompt) => {
    const scene = await startScene({
      flavour: 'openai',
      scenario: {
        defaults: { generationMs: 3_000 },
        rules: [
          { when: { op: 'submit' }, times: 1, do: { fault: 'drop-after-accept' } },
          { when: { op: 'submit' }, times: 1, do: { fault: 'same-id' } },
          // The second order has the id before the first is found.
          { when: { op: 'list' }, times: 2, do: { status: 500 } },
        ],
      },
      env: SCALE,
    })
    const { sim, product } = scene
    await product.startWorker()
    const [first, second] = [await scene.user(), await scene.user()]
    const lost = { user: first, prompt: lostPrompt }
    const next = { user: second, prompt: nextPrompt }
    const ids = [await orderVideo(first, lost.prompt)]
    await until('the first order', () => sim.stats().ordersAccepted === 1)
    ids.push(await orderVideo(second, next.prompt))
    await scene.allAreDelivered()
    for (const [i, video] of [lost, next].entries())
      expect(await isOwnClip(sim, { ...video, id: ids[i] ?? '' }), video.prompt).toBe(true)
    // The second user's own order could never be polled, so it is on record and was sent again.
    expect((await attemptsOf(product)).map(({ state }) => state)).toEqual([
      'done',
      'orphaned',
      'done',
    ])
    expect(sim.stats().ordersAccepted).toBe(3)
    expect(await findViolations(product.db)).toEqual({})
  },
)

test('W-FAULT: the response to an order is lost, and Vertex AI gives the next one its id: each user gets their own clip', async () => {
  const scene = await startScene({
    flavour: 'vertex-veo',
    scenario: {
      defaults: { generationMs: 3_000 },
      rules: [
        { when: { op: 'submit' }, times: 1, do: { fault: 'drop-after-accept' } },
        { when: { op: 'submit' }, times: 1, do: { fault: 'same-id' } },
      ],
    },
    env: SCALE,
  })
  const { sim, product } = scene
  await product.startWorker()
  const videos = []
  for (const prompt of ['The first one’s secret', 'The second one’s garden']) {
    const user = await scene.user()
    videos.push({ user, prompt, id: await orderVideo(user, prompt) })
    await until('the order', () => sim.stats().ordersAccepted === videos.length)
  }
  await scene.allAreDelivered()
  for (const video of videos) expect(await isOwnClip(sim, video), video.prompt).toBe(true)
  expect(await findViolations(product.db)).toEqual({})
})

test.each(['openai', 'runway'] as const)(
  'W-FAULT: %s reports once that it does not know an order: it is polled again, and the paid clip is delivered',
  async (flavour) => {
    const scene = await startScene({
      flavour,
      scenario: { rules: [{ when: { op: 'poll' }, times: 1, do: { status: 404 } }] },
    })
    await scene.product.startWorker()
    await orderVideo(await scene.user(), 'A paid boat')
    await scene.allAreDelivered()
    expect(scene.sim.journal().filter(({ status }) => status === 404)).toHaveLength(1)
    await scene.expectNothingWasted()
  },
)
