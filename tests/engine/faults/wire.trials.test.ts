import { afterEach, expect, test } from 'vitest'
import type { UserCtx } from '../../../app/domain/context'
import { storeDefaultCredential } from '../../../app/domain/tokens/credentials.server'
import { addPoolToken } from '../../../app/domain/tokens/pool.server'
import { DEFAULT_TOKEN, type Flavour } from '../../simulator/settings'
import type { ScenarioInput } from '../../simulator/scenario'
import type { Simulator } from '../../simulator/simulator'
import { bulk, generate, quotaOf, statusesOf } from '../../support/engine/actions'
import { takeTurns, trials } from '../../support/engine/trials'
import { giveToken, makeWithKill, onlyVideo, orphansIn } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'

// Repeats the checks that other tests run against the fake provider over the wire: the product's
// own adapters, HTTP, the providers' protocols, in the engine's time.
const { engine, start: startEngine } = useFreshEngine()
let sim: Simulator
afterEach(() => {
  expect(sim.stats()).toMatchObject({ secretsInUrl: 0, crossAccountPolls: 0 })
})

async function start(flavour: Flavour, scenario: ScenarioInput = {}): Promise<void> {
  const defaults = { generationMs: 60_000, ...scenario.defaults }
  await startEngine({ flavour, scenario: { ...scenario, defaults } })
  if (!engine.sim) throw new Error('no simulator')
  sim = engine.sim
  await storeDefaultCredential(engine.deps, DEFAULT_TOKEN)
}

const cases = takeTurns()
const statuses = (user: UserCtx) => statusesOf(engine, user)

test('U-BATCH-1: seven videos on Professional: the provider receives 3, 3 and 1, a minute apart', async () => {
  await start('vertex-veo')
  const user = await engine.user({ plan: 'Professional' })
  await bulk(user, 7)
  await engine.settle()
  const times = sim.accepted().map(({ at }) => at)
  // Whole minutes: the time of the engine goes on while a slow machine works.
  const minutes = times.map((at) => Math.floor((at - times[0]!) / 60_000))
  expect(minutes).toEqual([0, 0, 0, 1, 1, 1, 2])
  expect(await statuses(user)).toEqual(Array.from({ length: 7 }, () => 'completed'))
})

test.each(cases(['vertex-veo', 'openai', 'runway'] as const))(
  'F8: %s answers 401 to ten concurrent orders: one replacement, ten clips, ten orders',
  async (flavour) => {
    await start(flavour)
    await storeDefaultCredential(engine.deps, undefined)
    const admin = await engine.admin()
    await addPoolToken(admin, 'pool-token-A-0123456789')
    await addPoolToken(admin, 'pool-token-B-0123456789')
    sim.token('bad-token-0123456789', { dead: true })
    const user = await engine.user({ plan: 'Enterprise' })
    await giveToken(engine, user, 'bad-token-0123456789')
    for (let i = 0; i < 10; i++) await generate(user)
    await engine.settle()
    expect(await statuses(user)).toEqual(Array.from({ length: 10 }, () => 'completed'))
    const { rows } = await engine.pool.query<{ n: number }>(
      'select count(*)::int as n from credentials where last_assigned_at is not null',
    )
    expect(rows[0]?.n).toBe(1)
    expect(sim.stats()).toMatchObject({ ordersAccepted: 10, wastedOrders: 0 })
  },
)

test('F2: killed after the provider accepted the order: found in its folder, no orphan, nothing paid for twice', async () => {
  await start('vertex-veo')
  const times = trials(20, 200)
  for (let trial = 0; trial < times; trial++) {
    const user = await engine.user()
    await makeWithKill(engine, user, /after provider submit/)
    expect(await statuses(user)).toEqual(['completed'])
    expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 1 } })
  }
  expect(await orphansIn(engine)).toBe(0)
  expect(sim.stats()).toMatchObject({ ordersAccepted: times, wastedOrders: 0 })
})

test.each([
  ['vertex-veo', 'drop-after-accept', 1, 0],
  ['runway', 'drop-after-accept', 2, 1],
  // An order of which nothing is seen for three minutes is recorded as possibly paid.
  ['vertex-veo', 'drop-before-accept', 1, 1],
  ['vertex-veo', 'half-json', 1, 0],
] as const)('F11: %s, %s: %i orders are paid, the video is made', async (...row) => {
  const [flavour, fault, paid, orphans] = row
  await start(flavour, { rules: [{ when: { op: 'submit' }, times: 1, do: { fault } }] })
  const user = await engine.user()
  await generate(user)
  await engine.settle()
  expect(await statuses(user)).toEqual(['completed'])
  expect(sim.stats().ordersAccepted).toBe(paid)
  expect(await orphansIn(engine)).toBe(orphans)
  expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 1 } })
})

test.each(cases(['vertex-veo', 'openai', 'runway'] as const))(
  'F14: %s refuses the content: an error with a plain message, the unit returned, one order',
  async (flavour) => {
    await start(flavour, { rules: [{ when: { op: 'submit' }, do: { outcome: 'filtered' } }] })
    const user = await engine.user()
    await generate(user)
    await engine.settle()
    const video = await onlyVideo(engine, user)
    expect(video).toMatchObject({ status: 'error', errorCode: 'policy' })
    expect(video.errorMessage).toMatch(/^The prompt was refused by the safety rules/)
    expect(sim.stats().ordersAccepted).toBe(1)
    expect(await quotaOf(engine, user)).toMatchObject({ lines: { returned: 1 } })
  },
)
