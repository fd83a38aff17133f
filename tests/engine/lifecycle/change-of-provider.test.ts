import { beforeEach, describe, expect, test } from 'vitest'
import type { AdminCtx } from '../../../app/domain/context'
import { checkPoolToken } from '../../../app/domain/tokens/check-pool-token.server'
import { boundTo } from '../../../app/domain/providers.server'
import { storeDefaultCredential } from '../../../app/domain/tokens/credentials.server'
import { addPoolToken } from '../../../app/domain/tokens/pool.server'
import { listTokens } from '../../../app/domain/tokens/token-desk.server'
import { getSystemFacts } from '../../../app/domain/health/status.server'
import { listHolds } from '../../../app/domain/videos/gallery/progress.server'
import type { SecretScope } from '../../../app/platform/providers/port'
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

/** Two gateways of one kind: what belongs to which shows only in the account scope, as with their hosts. */
async function startAt(host: string): Promise<FakeProvider> {
  await engine.close()
  await start({ can: { needsCredential: true } })
  return at(engine.fake, host)
}
const at = (provider: FakeProvider, scope: string): FakeProvider =>
  Object.assign(provider, { scope })
const openAt = (host: string): FakeProvider =>
  at(openFakeProvider({ now: engine.clock.nowHere, can: { needsCredential: true } }), host)
const desk = async (ctx: AdminCtx) =>
  (await listTokens({ ...ctx, ...engine.deps }, { state: 'all', sort: 'place', page: 1 })).tokens

test('issue 52: nothing is ordered with a token of another address, which is said; pasted again it is', async () => {
  await startAt('one')
  const admin = await engine.admin()
  const { id } = await addPoolToken(admin, 'one:token-of-the-pool')
  expect(await desk(admin)).toMatchObject([{ isUnused: false }])
  next = openAt('two')
  await becomesFirst([])
  const user = await engine.user({ plan: 'Business' })
  await generate(user)
  await engine.advance(60_000)
  expect(next.calls()).toEqual([])
  expect(await desk(admin)).toMatchObject([{ isUnused: true, otherProvider: null }])
  const ctx = { ...admin, ...engine.deps }
  const checked = await checkPoolToken(ctx, id)
  expect(checked).toMatchObject({
    works: false,
    message: expect.stringContaining('Paste it again') as string,
  })
  expect(await desk(admin)).toMatchObject([{ state: 'ok' }])
  await addPoolToken(ctx, 'two:token-of-the-pool')
  await engine.settle()
  expect(await statuses(user)).toEqual(['completed'])
  expect(next.entries()).toHaveLength(1)
})

test('issue 52: an order stays at the old gateway when another one of its kind becomes the first', async () => {
  const old = await startAt('one')
  const lost = {
    when: { op: 'submit' as const, nth: 2 },
    do: { fault: 'drop-after-accept' as const },
  }
  old.play({ defaults: { generationMs: 60_000 }, rules: [lost] })
  const admin = await engine.admin()
  await addPoolToken(admin, 'one:token-of-the-pool')
  const user = await engine.user({ plan: 'Business' })
  await generate(user)
  await engine.advance(1_000)
  await generate(user)
  await engine.advance(1_000)
  expect(old.entries()).toHaveLength(2)
  next = { ...openAt('two'), kind: 'fake' }
  await becomesFirst([{ ...old, kind: 'old', adapter: 'fake' }])
  await engine.settle()
  expect(await statuses(user)).toEqual(['completed', 'completed'])
  expect([old.entries().length, next.calls().length]).toEqual([2, 0])
})

test('issue 52: if only the new gateway is set up, the order of the old one waits for it', async () => {
  const old = await startAt('one')
  await addPoolToken(await engine.admin(), 'one:token-of-the-pool')
  const user = await engine.user({ plan: 'Business' })
  await generate(user)
  await engine.advance(1_000)
  next = { ...openAt('two'), kind: 'fake' }
  await becomesFirst([])
  await engine.advance(10 * 60_000)
  expect(await statuses(user)).toEqual(['generating'])
  await becomesFirst([{ ...old, kind: 'old', adapter: 'fake' }])
  await engine.settle()
  expect(await statuses(user)).toEqual(['completed'])
  expect([old.entries().length, next.calls().length]).toEqual([1, 0])
})

test('issue 52: the key is the same at the new address: the order of the old one is asked for with it', async () => {
  const old = await startAt('one')
  old.scopeOf = (): SecretScope => ({ ok: true, kind: 'static-bearer', accountScope: 'one' })
  await storeDefaultCredential(engine.deps, 'one-key-of-both')
  const user = await engine.user({ plan: 'Business' })
  await generate(user)
  await engine.advance(1_000)
  next = { ...openAt('two'), kind: 'fake' }
  next.scopeOf = (): SecretScope => ({ ok: true, kind: 'static-bearer', accountScope: 'two' })
  const named = { ...old, kind: 'old', adapter: 'fake' }
  await becomesFirst([named])
  for (const provider of [next, named])
    await storeDefaultCredential(boundTo(engine.deps, provider), 'one-key-of-both')
  await generate(user)
  await engine.settle()
  expect(await statuses(user)).toEqual(['completed', 'completed'])
  expect([old.entries().length, next.entries().length]).toEqual([1, 1])
})

describe('issue 52: for a provider that is gone its order waits until the deadline', () => {
  const MINUTE = 60_000
  const LOST = { when: { op: 'submit' as const }, do: { fault: 'drop-after-accept' as const } }
  const UNFOUND = { when: { op: 'list' as const }, do: { status: 503 } }
  const comesBack = async (user: Parameters<typeof videosOf>[1]) => {
    expect(next.entries()).toHaveLength(0)
    engine.fake.play({})
    await becomesFirst([engine.fake])
    await engine.settle()
    expect(await statuses(user)).toEqual(['completed'])
    expect([engine.fake.entries().length, next.entries().length]).toEqual([1, 0])
  }

  test.each([
    ['one that is made', { defaults: { generationMs: 8 * MINUTE } }, 10_000],
    ['one whose response was lost', { rules: [LOST, UNFOUND] }, 10],
    [
      'one whose clip is finished',
      {
        defaults: { generationMs: 30_000 },
        rules: [{ when: { op: 'content' as const }, do: { status: 599 } }],
      },
      2 * MINUTE,
    ],
  ])('%s', async (_, scenario, beforeMs) => {
    engine.fake.play(scenario)
    const user = await engine.user({ plan: 'Business' })
    await generate(user)
    await engine.advance(beforeMs)
    await becomesFirst([])
    await engine.advance(15 * MINUTE)
    expect(await statuses(user)).toEqual(['generating'])
    await comesBack(user)
  })

  test('after it a lost order is on record, and the video is ordered from the new one', async () => {
    engine.fake.play({ rules: [LOST, UNFOUND] })
    const user = await engine.user({ plan: 'Business' })
    await generate(user)
    await engine.drain()
    await becomesFirst([])
    await engine.advance(60 * MINUTE)
    await engine.settle()
    expect(await statuses(user)).toEqual(['completed'])
    expect(next.entries()).toHaveLength(1)
    const { rows } = await engine.pool.query(`select state from attempts order by n`)
    expect(rows).toEqual([{ state: 'orphaned' }, { state: 'done' }])
  })
})
