import { expect, test } from 'vitest'
import type { UserCtx } from '../../../app/domain/context'
import { storeDefaultCredential } from '../../../app/domain/tokens/credentials.server'
import type { ScenarioInput } from '../../simulator/scenario'
import { generate, videosOf } from '../../support/engine/actions'
import { useFreshEngine } from '../../support/engine/shared-engine'

// A paid order is given up only after the same refusal several times in a row. Polls that failed
// before for another reason do not count. A paid clip is given up only if it is gone, five times over
// ten minutes.

const { engine, start } = useFreshEngine()

const MINUTE = 60_000
const KEY = 'the-account:0123456789'
const DEFAULTS = { generationMs: 20_000 }
type Rules = NonNullable<ScenarioInput['rules']>

/** Orders one video, whose clip is finished after twenty seconds and broken at the first two fetches. */
async function finish(): Promise<UserCtx> {
  await start({
    can: { needsCredential: true, recover: 'none' },
    scenario: { defaults: DEFAULTS, rules: [broken(2)] },
  })
  await storeDefaultCredential(engine.deps, KEY)
  const user = await engine.user()
  await generate(user)
  await engine.advance(26_000)
  expect(count('content')).toBe(2)
  return user
}

const broken = (times: number): Rules[number] => ({
  when: { op: 'content' },
  times,
  do: { fault: 'html' },
})
const count = (op: string) => engine.fake.calls().filter((call) => call.op === op).length
const play = (...rules: Rules) => engine.fake.play({ defaults: DEFAULTS, rules })

async function expectDelivered(user: UserCtx): Promise<void> {
  expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
  expect(engine.fake.entries()).toHaveLength(1)
}

test.each([
  ['asks for a while for a key, though the key works', { status: 401 }],
  ['does not know the order at first', { status: 404 }],
])(
  'W-FAULT: a provider that was busy for six polls and then %s: the one order is delivered',
  async (_, refused) => {
    await start({
      can: { needsCredential: true, recover: 'none' },
      deps: ({ provider }) => ({ provider: { ...provider, check: () => Promise.resolve() } }),
      scenario: {
        defaults: { generationMs: 20_000 },
        rules: [
          { when: { op: 'poll' }, do: { status: 503 }, times: 6 },
          { when: { op: 'poll' }, do: refused, times: 2 },
        ],
      },
    })
    await storeDefaultCredential(engine.deps, 'the-account:0123456789')
    const user = await engine.user()
    await generate(user)
    await engine.settle()
    expect(engine.fake.entries()).toHaveLength(1)
    expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
  },
)

test.each([
  ['400', { status: 400 }],
  ['403', { status: 403 }],
])(
  'W9: a fresh address of a paid clip is answered with %s for half an hour: the clip is waited for',
  async (_, refused) => {
    const user = await finish()
    play({ when: { op: 'poll' }, do: refused })
    await engine.advance(30 * MINUTE)
    expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'generating' })
    play()
    await engine.settle()
    await expectDelivered(user)
  },
)

test('W9: a fresh address of a paid clip is answered with 404: it is given up after ten minutes, not after one', async () => {
  const user = await finish()
  play({ when: { op: 'poll' }, do: { status: 404 } }, broken(100))
  await engine.advance(8 * MINUTE)
  expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'generating' })
  await engine.advance(4 * MINUTE)
  expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'error' })
  await engine.settle()
})

test('W9: no key gets at a paid clip for eight minutes: it is not ordered again, and delivered when one does', async () => {
  const user = await finish()
  engine.fake.play({ defaults: DEFAULTS, tokens: { [KEY]: { dead: true } } })
  await engine.advance(8 * MINUTE)
  expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'generating' })
  play()
  await engine.advance(9 * MINUTE)
  await expectDelivered(user)
  await engine.settle()
})

test('W9: a clip turns up after the deadline of its order, though the provider once did not know it: it is delivered', async () => {
  await start({ scenario: { defaults: { generationMs: 25 * MINUTE } } })
  const user = await engine.user()
  await generate(user)
  await engine.advance(21 * MINUTE)
  expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'error' })
  play({ when: { op: 'poll' }, do: { status: 404 }, times: 3 })
  await engine.settle()
  await expectDelivered(user)
})
