import { expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../support/engine/trials'
import { numbered, orderVideo, startScene, type Scene, type SceneUser } from '../support/scene'
import { until } from '../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

// The same promise as one-bad-video.test.ts, with real processes and the pauses of production. It is
// about a wait, so it measures one: others are ordered within two seconds of the usual time.

const OTHERS = 50
const USERS = 10
const SLACK_MS = 2_000
const DEFAULTS = { generationMs: 3_000 }
/** On a fast machine all others are under way at once, with the bad one: more than the usual 50. */
const REAL = { VIDEO_PROVIDER_TIME_SCALE: '1', TOKEN_MAX_IN_FLIGHT: '100' }

/** Orders one video and waits until the provider has accepted it. Returns how long that took. */
async function orderedAfter({ sim }: Scene, user: SceneUser, prompt: string): Promise<number> {
  const before = sim.stats().ordersAccepted
  const startedAt = performance.now()
  await orderVideo(user, prompt)
  await until(`${prompt} to be ordered`, () => sim.stats().ordersAccepted > before)
  return performance.now() - startedAt
}

async function expectOthersOnTime(scene: Scene, users: SceneUser[], usualMs: number) {
  const late: unknown[] = []
  for (const [i, prompt] of numbered('A good boat', OTHERS).entries()) {
    const ms = await orderedAfter(scene, users[i % USERS]!, prompt)
    if (ms > usualMs + SLACK_MS) late.push({ prompt, ms })
  }
  expect(late).toEqual([])
}

async function start() {
  const scene = await startScene({ flavour: 'openai', scenario: { defaults: DEFAULTS }, env: REAL })
  const users = await Promise.all(Array.from({ length: USERS }, () => scene.user()))
  await scene.product.startWorker()
  const usual: number[] = []
  for (const prompt of numbered('A usual boat', 5)) {
    usual.push(await orderedAfter(scene, users[0]!, prompt))
  }
  await scene.allAreDelivered()
  const usualMs = usual.sort((a, b) => a - b)[2]!
  return { scene, users, usualMs }
}

test.each([
  ['an empty body', { fault: 'no-bytes' }],
  ['503', { status: 503 }],
  ['an HTML page', { fault: 'html' }],
  ['a clip labelled text/html', { fault: 'wrong-type' }],
  ['a reset', { fault: 'reset' }],
] as const)(
  'V1: a clip whose host answers with %s: 50 of 50 videos of others are ordered on time, in real time',
  async (_name, action) => {
    const { scene, users, usualMs } = await start()
    scene.sim.play({
      defaults: DEFAULTS,
      rules: [{ when: { op: 'content', promptIncludes: 'BAD' }, do: action }],
    })
    const downloads = () => scene.sim.journal().filter(({ op }) => op === 'content').length
    const before = downloads()
    await orderVideo(await scene.user(), 'A BAD clip')
    await until('the clip to fail', () => downloads() > before)
    await expectOthersOnTime(scene, users, usualMs)
  },
)

test.each([403, 404])(
  'V2: an order that is always answered %i: 50 of 50 videos of others are ordered on time, in real time',
  async (status) => {
    const { scene, users, usualMs } = await start()
    scene.sim.play({
      defaults: DEFAULTS,
      rules: [{ when: { op: 'submit', promptIncludes: 'BAD' }, do: { status } }],
    })
    await orderVideo(await scene.user(), 'A BAD order')
    await until('the order to be refused', () =>
      scene.sim.journal().some((entry) => entry.op === 'submit' && entry.status === status),
    )
    await expectOthersOnTime(scene, users, usualMs)
  },
)
