import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AdminCtx, UserCtx } from '../../../app/domain/context'
import { placeTokens, storeDefaultCredential } from '../../../app/domain/tokens/credentials.server'
import { addPoolToken } from '../../../app/domain/tokens/pool.server'
import type { ScenarioInput } from '../../simulator/scenario'
import { bulk, generate, statusesOf } from '../../support/engine/actions'
import { giveToken } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'
import { takeTurns, trials } from '../../support/engine/trials'

const { engine, start } = useFreshEngine()
let admin: AdminCtx
const begin = async (env: Record<string, string> = {}) => {
  await start({ can: { needsCredential: true, recover: 'none' }, env })
  admin = await engine.admin()
}
beforeEach(() => begin())
afterEach(async () => expect(await engine.sweep()).toBe(0))

// Keys of one server, each bought on its own.
const key = (name: string) => `server:${name}-a-key-of-sixteen-and-more-CANARY`
const [A, B, PLATFORM, C] = [key('A'), key('B'), key('P'), key('C')]
/** How often an undisturbed order is polled. */
const POLLS = 2
const FAST = { defaults: { generationMs: 20_000 } }
const play = (scenario: ScenarioInput = {}) => engine.fake.play({ ...FAST, ...scenario })
/** What the provider answers to orders with a key. */
const answering = (token: string, action: object, times?: number): ScenarioInput => ({
  rules: [{ when: { op: 'submit', token }, do: action, ...(times === undefined ? {} : { times }) }],
})
const submitsWith = (token: string) =>
  engine.fake.calls().filter((call) => call.op === 'submit' && call.token === token).length
const pollsWith = (token: string) =>
  engine.fake.calls().filter((call) => call.op === 'poll' && call.token === token).length

async function holder(token: string): Promise<UserCtx> {
  const user = await engine.user({ plan: 'Enterprise' })
  await giveToken(engine, user, token)
  return user
}

const stateOf = async (token: string) => {
  const { rows } = await engine.pool.query<{ state: string; death: string | null; error: string }>(
    `select state::text, death, last_error as error from credentials where fingerprint = encode(sha256($1::bytea), 'hex')`,
    [token],
  )
  return rows[0]
}

const logged = async () => {
  const { rows } = await engine.pool.query<{ entry: string }>(
    `select actor_name || ': ' || action || ' ' || subject_name as entry from trail_entries
     where action like 'token.%' and actor_name = 'the system' order by at, id`,
  )
  return rows.map(({ entry }) => entry)
}

const TROUBLES = [
  ['402, no credits', { status: 402 }],
  ['429 for an hour', { status: 429, retryAfter: 3600 }],
  ['403', { status: 403 }],
  ['401', { status: 401 }],
] as const

describe('one key in trouble', () => {
  test.each(TROUBLES)('W1: %s: a video on another key is ordered within 2 s', async (_, action) => {
    play(answering(A, action))
    const [one, other] = [await holder(A), await holder(B)]
    await generate(one)
    await engine.drain()
    await generate(other)
    await engine.advance(2_000)
    expect(submitsWith(B)).toBe(1)
    await engine.advance(30_000)
    expect(await statusesOf(engine, other)).toEqual(['completed'])
    expect(await statusesOf(engine, one)).toEqual(['pending'])
  })

  test('W1: the pause is in the activity log, with the key and the provider’s words', async () => {
    play(answering(A, { status: 402 }))
    await generate(await holder(A))
    await engine.drain()
    expect(await logged()).toEqual([expect.stringMatching(/token\.pause Token \d+ …NARY/)])
    expect(await stateOf(A)).toMatchObject({ state: 'ok', error: 'quota-exhausted' })
  })

  test.each(TROUBLES)(
    'W1: the platform’s key, %s: everybody’s next order uses the pool within 2 s',
    async (_, action) => {
      await storeDefaultCredential(engine.deps, PLATFORM)
      await addPoolToken(admin, A)
      play(answering(PLATFORM, action))
      const first = await engine.user()
      await generate(first)
      await engine.advance(2_000)
      expect([submitsWith(PLATFORM), submitsWith(A)]).toEqual([1, 1])
      const users = [await engine.user(), await engine.user(), await engine.user()]
      for (const user of users) await generate(user)
      await engine.advance(2_000)
      expect(submitsWith(A)).toBe(4)
      // A 403 may concern one video alone, so each may be refused once until it is known better.
      expect(submitsWith(PLATFORM)).toBeLessThanOrEqual(4)
      await engine.advance(30_000)
      for (const user of [first, ...users])
        expect(await statusesOf(engine, user)).toEqual(['completed'])
    },
  )

  test('W1: while the platform’s key is only paused, keys of the pool are lent and do not become the user’s', async () => {
    await storeDefaultCredential(engine.deps, PLATFORM)
    await addPoolToken(admin, A)
    await addPoolToken(admin, B)
    play(answering(PLATFORM, { status: 402 }, 1))
    const user = await engine.user({ plan: 'Enterprise' })
    // So many that chance does not give all of them to one key.
    for (let i = 0; i < 16; i++) await generate(user)
    await engine.advance(30_000)
    // The lent keys share the work.
    expect([submitsWith(A), submitsWith(B)].every((orders) => orders > 0)).toBe(true)
    const { rows } = await engine.pool.query(
      'select 1 from users where id = $1 and credential_id is not null',
      [user.actor.id],
    )
    expect(rows).toEqual([])
    await engine.advance(3_600_000 * 1.3)
    const before = submitsWith(PLATFORM)
    await generate(user)
    await engine.advance(30_000)
    expect(submitsWith(PLATFORM)).toBe(before + 1)
  })

  test('W1: a pool key whose account refused the video is passed over for it, which is no mistake', async () => {
    await addPoolToken(admin, A)
    await addPoolToken(admin, B)
    // Afterwards it is A's turn again.
    for (const user of [await engine.user(), await engine.user()]) {
      await generate(user)
      await engine.advance(30_000)
    }
    play({
      rules: [
        { when: { op: 'submit', token: C }, do: { status: 429, retryAfter: 10 }, times: 1 },
        { when: { op: 'submit', token: C }, do: { status: 401 } },
        { when: { op: 'check', token: C }, do: { status: 401 } },
        { when: { op: 'submit', token: A }, do: { status: 403 }, times: 1 },
        { when: { op: 'submit', token: B }, do: { status: 429, retryAfter: 30 }, times: 1 },
      ],
    })
    const user = await holder(C)
    await generate(user)
    await engine.advance(58_000)
    expect(await stateOf(C)).toMatchObject({ state: 'dead' })
    expect([submitsWith(A), submitsWith(B), submitsWith(C)]).toEqual([2, 3, 2])
    const { rows } = await engine.pool.query(
      'select passed_over from pool_assignments where user_id = $1',
      [user.actor.id],
    )
    expect(rows).toEqual([{ passed_over: 0 }])
    await engine.settle()
  })

  test('W1: the pause of a key that has died since does not stay on the page System', async () => {
    await addPoolToken(admin, B)
    play(answering(A, { status: 402 }, 1))
    const user = await holder(A)
    await generate(user)
    await engine.advance(30_000)
    await engine.pool.query(
      "update credentials set state = 'dead' where fingerprint = encode(sha256($1::bytea), 'hex')",
      [A],
    )
    const paused = async () =>
      (await engine.pool.query('select 1 from provider_gates where strikes > 0')).rowCount
    await engine.sweep()
    expect(await paused()).toBe(1)
    await engine.advance(3_600_000 * 1.3)
    await engine.sweep()
    expect(await paused()).toBe(0)
  })

  test('W1: a key that is added releases the videos that wait for a paused one', async () => {
    play(answering(A, { status: 402 }))
    const user = await holder(A)
    await generate(user)
    await engine.advance(5_000)
    expect(await statusesOf(engine, user)).toEqual(['pending'])
    await addPoolToken(admin, B)
    await engine.advance(2_000)
    expect(submitsWith(B)).toBe(1)
  })

  test('W1: keys that the operator puts into one account pause together', async () => {
    await addPoolToken(admin, A, { account: 'shop' })
    await addPoolToken(admin, B, { account: 'shop' })
    await addPoolToken(admin, C)
    play(answering(A, { status: 402 }))
    const user = await engine.user()
    await generate(user)
    await engine.advance(2_000)
    expect([submitsWith(A), submitsWith(B), submitsWith(C)]).toEqual([1, 0, 1])
  })

  test('W1: with TOKEN_ACCOUNTS=shared all keys of a server are one account', async () => {
    await engine.close()
    await begin({ TOKEN_ACCOUNTS: 'shared' })
    play(answering(A, { status: 402 }))
    const [one, other] = [await holder(A), await holder(B)]
    await generate(one)
    await engine.drain()
    await generate(other)
    await engine.advance(30_000)
    expect(submitsWith(B)).toBe(0)
  })

  const VIDEOS = trials(100, 100)

  test(`W1: ${VIDEOS} of ${VIDEOS} videos on other keys are ordered while one key is refused in turn`, async () => {
    const actions = TROUBLES.map(([, action]) => action)
    for (let trial = 0; trial < VIDEOS; trial++) {
      const [bad, mine] = [key(`bad-${trial}`), key(`own-${trial}`)]
      play(answering(bad, actions[trial % actions.length]!))
      await generate(await holder(bad))
      await engine.drain()
      await generate(await holder(mine))
      await engine.advance(2_000)
      expect([trial, submitsWith(bad) > 0, submitsWith(mine)]).toEqual([trial, true, 1])
    }
    play()
    await engine.settle()
  })
})

const cases = takeTurns()
describe.each(['vertex-veo', 'openai', 'runway'] as const)('over the wire of %s', (flavour) => {
  test.each(cases(TROUBLES))(
    'W1: %s: another key’s video is ordered within 2 s',
    async (_, action) => {
      await engine.close()
      const [bad, good] = ['bad-key-0123456789', 'good-key-0123456789']
      const rules = [{ when: { op: 'submit' as const, token: bad }, do: action }]
      await start({ flavour, scenario: { ...FAST, rules } })
      const users = [await holder(bad), await holder(good)]
      await generate(users[0]!)
      await engine.drain()
      await generate(users[1]!)
      await engine.advance(2_000)
      expect(engine.sim?.accepted({ token: bad })).toHaveLength(0)
      expect(engine.sim?.accepted({ token: good })).toHaveLength(1)
      engine.sim?.play({ ...FAST })
      await engine.settle()
      for (const user of users) expect(await statusesOf(engine, user)).toEqual(['completed'])
    },
  )
})

describe('a suspended key', () => {
  test('P1: 403 for two videos, confirmed by the test of keys: it is replaced like a dead one', async () => {
    await addPoolToken(admin, B)
    play({
      rules: [
        { when: { op: 'submit', token: A }, do: { status: 403 } },
        { when: { op: 'check', token: A }, do: { status: 403 } },
      ],
    })
    const user = await holder(A)
    await generate(user)
    await engine.advance(90_000)
    expect(await stateOf(A)).toMatchObject({ state: 'ok' })
    await generate(user)
    await engine.advance(90_000)
    expect(await stateOf(A)).toMatchObject({ state: 'dead', death: 'suspended' })
    expect(await statusesOf(engine, user)).toEqual(['completed', 'completed'])
    await generate(user)
    await engine.settle()
    expect([submitsWith(A), submitsWith(B)]).toEqual([2, 3])
    expect((await logged()).slice(-2)).toEqual([
      expect.stringMatching(/token\.death Token \d+ …NARY/),
      expect.stringMatching(/token\.replace Token \d+ …NARY/),
    ])
  })

  test('P1: 403 for two videos that other keys deliver: the key is suspended although its test works', async () => {
    await addPoolToken(admin, B)
    play(answering(A, { status: 403 }))
    const user = await holder(A)
    for (let i = 0; i < 2; i++) {
      await generate(user)
      await engine.advance(90_000)
    }
    expect(await stateOf(A)).toMatchObject({ state: 'dead', death: 'suspended' })
    expect(await statusesOf(engine, user)).toEqual(['completed', 'completed'])
  })

  test('P1: a 403 for one video that other keys refuse too kills no key', async () => {
    await addPoolToken(admin, B)
    play({ rules: [{ when: { op: 'submit' }, do: { status: 403 } }] })
    const user = await holder(A)
    await generate(user)
    await engine.advance(900_000)
    expect([await stateOf(A), await stateOf(B)]).toMatchObject([{ state: 'ok' }, { state: 'ok' }])
    play()
    await engine.settle()
  })
})

describe('orders under way with a key that dies', () => {
  /** Several users of one key, because one alone may have only so many orders under way. */
  const underWay = async (token: string, orders = 20): Promise<UserCtx[]> => {
    play()
    const users: UserCtx[] = []
    for (let i = 0; i < orders; i++) {
      if (i % 5 === 0) users.push(await holder(token))
      await generate(users.at(-1)!)
    }
    await engine.drain()
    expect(engine.fake.entries()).toHaveLength(orders)
    return users
  }
  const endsOf = async (users: UserCtx[]) =>
    (await Promise.all(users.map((user) => statusesOf(engine, user)))).flat()
  const delivered = (videos: number) => Array.from({ length: videos }, () => 'completed')

  test('W2: 20 of 20 are delivered with the key that ordered them, as long as it gets answers', async () => {
    await addPoolToken(admin, B)
    const users = await underWay(A)
    // The test of keys refuses it too, so the next order finds it dead at once.
    play({ tokens: { [A]: { dead: true, onlyFor: ['submit', 'check'] } } })
    await generate(users[0]!)
    await engine.settle()
    expect(await stateOf(A)).toMatchObject({ state: 'dead' })
    expect(await endsOf(users)).toEqual(delivered(21))
    expect(engine.fake.entries()).toHaveLength(21)
    // Only its own order's.
    expect(pollsWith(B)).toBe(POLLS)
  })

  test('W2: what nobody can ask for is given up once, as possibly paid, and ordered with the next key', async () => {
    await addPoolToken(admin, B)
    const users = await underWay(A)
    play({ tokens: { [A]: { dead: true } } })
    await engine.settle()
    expect(await endsOf(users)).toEqual(delivered(20))
    expect([submitsWith(A), submitsWith(B)]).toEqual([20, 20])
    const { rows } = await engine.pool.query<{ n: number }>(
      `select count(*)::int as n from attempts where state = 'orphaned'`,
    )
    expect(rows[0]?.n).toBe(20)
    // Never with a key of another account.
    expect(engine.fake.calls().filter(({ op }) => op === 'poll')).toHaveLength(
      pollsWith(A) + pollsWith(B),
    )
    expect(pollsWith(B)).toBe(20 * POLLS)
  })

  test('W2: another key of the same account asks for them', async () => {
    await addPoolToken(admin, A, { account: 'shop' })
    await addPoolToken(admin, B, { account: 'shop' })
    const users = await underWay(A)
    play({ tokens: { [A]: { dead: true } } })
    await engine.settle()
    expect(await endsOf(users)).toEqual(delivered(20))
    expect(engine.fake.entries()).toHaveLength(20)
  })

  test('W2: an order that was under way at the upgrade stays with its key', async () => {
    const users = await underWay(A, 1)
    await engine.pool.query(
      'update credentials set account = account_scope, is_placed = false, last_four = null',
    )
    await placeTokens(engine.deps)
    const { rows } = await engine.pool.query(
      `select account = account_scope || '#' || id as "isOwn", last_four as "lastFour" from credentials`,
    )
    expect(rows).toEqual([{ isOwn: true, lastFour: 'NARY' }])
    await engine.settle()
    expect(await endsOf(users)).toEqual(delivered(1))
  })
})

describe('one stray 401', () => {
  test('W3: on an order: the key is tested, rests for some seconds and continues', async () => {
    await storeDefaultCredential(engine.deps, PLATFORM)
    play(answering(PLATFORM, { status: 401 }, 1))
    const user = await engine.user()
    await generate(user)
    await engine.settle()
    expect(await stateOf(PLATFORM)).toMatchObject({ state: 'ok' })
    expect(await statusesOf(engine, user)).toEqual(['completed'])
    expect(submitsWith(PLATFORM)).toBe(2)
  })

  test.each(['poll', 'content'] as const)('W3: on a %s: nothing dies', async (op) => {
    await storeDefaultCredential(engine.deps, PLATFORM)
    play({ rules: [{ when: { op }, do: { status: 401 }, times: 1 }] })
    const user = await engine.user()
    await generate(user)
    await engine.settle()
    expect(await stateOf(PLATFORM)).toMatchObject({ state: 'ok' })
    expect(await statusesOf(engine, user)).toEqual(['completed'])
    expect(engine.fake.entries()).toHaveLength(1)
  })

  test('W3: a key whose orders are refused again and again is dead although its test works', async () => {
    await addPoolToken(admin, B)
    play(answering(A, { status: 401 }))
    const user = await holder(A)
    for (let i = 0; i < 3; i++) {
      await generate(user)
      await engine.advance(90_000)
    }
    expect(await stateOf(A)).toMatchObject({ state: 'dead', death: 'refused' })
    expect(submitsWith(A)).toBe(3)
    expect(await statusesOf(engine, user)).toEqual(['completed', 'completed', 'completed'])
  })

  test('W3: the platform’s dead key is tried again at the next start', async () => {
    await storeDefaultCredential(engine.deps, PLATFORM)
    play({ tokens: { [PLATFORM]: { dead: true } } })
    const user = await engine.user()
    await generate(user)
    await engine.advance(10_000)
    expect(await stateOf(PLATFORM)).toMatchObject({ state: 'dead' })
    play()
    await storeDefaultCredential(engine.deps, PLATFORM)
    await engine.settle()
    expect(await statusesOf(engine, user)).toEqual(['completed'])
    expect((await logged()).at(-1)).toMatch(/token\.revive Token \d+ …NARY/)
  })

  test('W3: pasting a dead token of the pool again revives it', async () => {
    await addPoolToken(admin, A)
    play({ tokens: { [A]: { dead: true } } })
    const user = await engine.user()
    await generate(user)
    await engine.advance(10_000)
    expect(await stateOf(A)).toMatchObject({ state: 'dead' })
    play()
    expect(await addPoolToken(admin, A)).toMatchObject({ state: 'ok', position: 1 })
    await engine.settle()
    expect(await statusesOf(engine, user)).toEqual(['completed'])
  })
})

test('A-TOKENS: what became of a key’s orders is counted by day', async () => {
  play({ rules: [{ when: { op: 'submit', token: A }, do: { outcome: 'failed' }, times: 1 }] })
  const user = await holder(A)
  await bulk(user, 3)
  await engine.settle()
  const { rows } = await engine.pool.query(
    'select sum(orders)::int as orders, sum(delivered)::int as delivered, sum(failed)::int as failed from credential_days',
  )
  expect(rows).toEqual([{ orders: 3, delivered: 2, failed: 1 }])
})
