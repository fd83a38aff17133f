import { beforeEach, expect, test } from 'vitest'
import { addPoolToken } from '../../../app/domain/tokens/pool.server'
import { listTokens } from '../../../app/domain/tokens/token-desk.server'
import { getSystemFacts } from '../../../app/domain/health/status.server'
import { listHolds } from '../../../app/domain/videos/gallery/progress.server'
import { generate, videosOf } from '../../support/engine/actions'
import { openFakeProvider, type FakeProvider } from '../../support/engine/fake-provider'
import { closedGates } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'

// `fake` has an order when another service becomes the first provider.

const { engine, start } = useFreshEngine()
let next: FakeProvider
beforeEach(async () => {
  await start()
  next = { ...openFakeProvider({ now: engine.clock.nowHere }), kind: 'next' }
})

/** Starts the worker again after the settings named another first provider. */
async function becomesFirst(others: FakeProvider[]): Promise<void> {
  Object.assign(engine.deps, { provider: next, otherProviders: others })
  await engine.restart()
}

const statuses = async (user: Parameters<typeof videosOf>[1]) =>
  (await videosOf(engine, user)).map(({ status }) => status)

test('issue 52.3: an order stays with its provider when another one becomes the first', async () => {
  const user = await engine.user({ plan: 'Business' })
  await generate(user)
  await engine.advance(10_000)
  await becomesFirst([engine.fake])
  await generate(user)
  await engine.settle()
  expect(await statuses(user)).toEqual(['completed', 'completed'])
  expect([engine.fake.entries(), next.entries()].map(({ length }) => length)).toEqual([1, 1])
  expect(next.calls().filter(({ op }) => op === 'submit')).toHaveLength(1)
})

test('issue 52.3: a lost order is looked for where it was placed', async () => {
  engine.fake.play({
    rules: [{ when: { op: 'submit' }, do: { fault: 'drop-after-accept' } }],
  })
  const user = await engine.user({ plan: 'Business' })
  await generate(user)
  await engine.drain()
  await becomesFirst([engine.fake])
  await engine.settle()
  expect(await statuses(user)).toEqual(['completed'])
  expect([engine.fake.entries(), next.entries()].map(({ length }) => length)).toEqual([1, 0])
})

test('issue 52.3: of a provider that is not set up any more nothing is asked, and nobody else is; set up again, it delivers', async () => {
  const user = await engine.user({ plan: 'Business' })
  await generate(user)
  await engine.advance(10_000)
  await becomesFirst([])
  await engine.advance(120_000)
  expect(await statuses(user)).toEqual(['generating'])
  expect(next.calls()).toEqual([])
  await becomesFirst([engine.fake])
  await engine.settle()
  expect(await statuses(user)).toEqual(['completed'])
  expect(engine.fake.entries()).toHaveLength(1)
})

test('issue 52.3: an order that was not sent yet leaves for the new provider, if the old one is gone', async () => {
  const user = await engine.user({ plan: 'Business' })
  await generate(user)
  await engine.pool.query(`update attempts set provider = 'gone'`)
  await engine.settle()
  expect(await statuses(user)).toEqual(['completed'])
})

test('issue 52.3: a provider that is down closes no other one', async () => {
  const user = await engine.user({ plan: 'Enterprise' })
  for (let i = 0; i < 6; i++) await generate(user)
  await engine.advance(10_000)
  const down = [{ when: { op: 'content' as const }, do: { status: 599 } }]
  engine.fake.play({ rules: down })
  await becomesFirst([engine.fake])
  await engine.advance(120_000)
  expect(await closedGates(engine)).toEqual([{ scope: 'clips fake', reason: 'clips' }])
  await generate(user)
  // What waits for the new provider does not wait for the old one's clips.
  expect(await listHolds(engine.deps, user.actor.id)).toMatchObject([
    { reason: 'clips', videos: 6 },
  ])
  expect((await getSystemFacts(engine.deps)).provider.gates).toEqual([])
  await engine.advance(90_000)
  expect(next.entries()).toHaveLength(1)
  expect((await statuses(user)).filter((status) => status === 'completed')).toHaveLength(1)
  engine.fake.play({})
  await engine.settle()
  expect(new Set(await statuses(user))).toEqual(new Set(['completed']))
})

test('issue 52.3: a token of the old provider is not sent to the new one; pasted again it is', async () => {
  const can = { needsCredential: true }
  await engine.close()
  await start({ can })
  next = { ...openFakeProvider({ now: engine.clock.nowHere, can }), kind: 'next' }
  const admin = await engine.admin()
  await addPoolToken(admin, 'token-of-the-old-one')
  await becomesFirst([engine.fake])
  const user = await engine.user({ plan: 'Business' })
  await generate(user)
  await engine.advance(60_000)
  expect(await statuses(user)).toEqual(['pending'])
  expect(next.calls()).toEqual([])
  expect(
    (await listTokens({ ...admin, ...engine.deps }, { state: 'all', sort: 'place', page: 1 }))
      .tokens,
  ).toMatchObject([{ otherProvider: 'fake' }])
  await addPoolToken({ ...admin, ...engine.deps }, 'another-token-of-the-new')
  await engine.settle()
  expect(await statuses(user)).toEqual(['completed'])
  expect(new Set(next.calls().map(({ token }) => token))).toEqual(
    new Set(['another-token-of-the-new']),
  )
})
