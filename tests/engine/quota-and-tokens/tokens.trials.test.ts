import { beforeEach, describe, expect, test } from 'vitest'
import type { AdminCtx, UserCtx } from '../../../app/domain/context'
import {
  storeCredential,
  storeDefaultCredential,
} from '../../../app/domain/tokens/credentials.server'
import { addPoolToken, listPoolTokens } from '../../../app/domain/tokens/pool.server'
import { attempt, bulk, generate, quotaOf, videosOf } from '../../support/engine/actions'
import { giveToken } from '../../support/engine/make-video'
import { openRng, SEED, trials } from '../../support/engine/trials'
import { useFreshEngine } from '../../support/engine/shared-engine'

const { engine, start } = useFreshEngine()
let admin: AdminCtx
beforeEach(async () => {
  await start({ can: { needsCredential: true } })
  admin = await engine.admin()
})

const DEFAULTS = { defaults: { generationMs: 60_000 } }
const dead = (...tokens: string[]) =>
  engine.fake.play({
    ...DEFAULTS,
    tokens: Object.fromEntries(tokens.map((token) => [token, { dead: true as const }])),
  })
const pool = (...tokens: string[]) =>
  tokens.reduce<Promise<unknown>>(
    (before, token) => before.then(() => addPoolToken(admin, token)),
    Promise.resolve(),
  )

/** Removes all tokens of earlier tests from the pool. */
const emptyPool = () => engine.pool.query('update credentials set pool_position = null')
const tokenOf = (trial: number, name: string) =>
  `${String(trial).padStart(8, 'x')}-${name}-token-of-a-trial-CANARY`

/** Returns the state of each token by the readable part of its mask. */
async function states(): Promise<Record<string, string>> {
  const { rows } = await engine.pool.query<{ mask: string; state: string }>(
    'select mask, state from credentials',
  )
  return Object.fromEntries(rows.map(({ mask, state }) => [mask.replaceAll('•', ''), state]))
}
const submitsWith = (token: string) =>
  engine.fake.calls().filter((call) => call.op === 'submit' && call.token === token).length

async function holder(user: UserCtx): Promise<string | undefined> {
  const { rows } = await engine.pool.query<{ mask: string }>(
    `select mask from users join credentials on credentials.id = credential_id where users.id = $1`,
    [user.actor.id],
  )
  return rows[0]?.mask.replaceAll('•', '')
}

// Long enough to be distinguishable by the quarter that a mask shows.
const A = 'AAAAAAAA-token-of-the-pool-CANARY-1'
const B = 'BBBBBBBB-token-of-the-pool-CANARY-2'
const C = 'CCCCCCCC-token-of-the-pool-CANARY-3'
const MINE = 'MMMMMMMM-token-of-a-user-CANARY-4'
const PLATFORM = 'PPPPPPPP-token-of-platform-CANARY-5'

describe('choosing a token', () => {
  test('A-TOKEN-3, Q-20: a user’s own token, else the platform’s, else one from the pool, which becomes the user’s own', async () => {
    await pool(A)
    await storeDefaultCredential(engine.deps, PLATFORM)
    const rich = await engine.user()
    await giveToken(engine, rich, MINE)
    const plain = await engine.user()
    await generate(rich)
    await generate(plain)
    await engine.settle()
    expect([submitsWith(MINE), submitsWith(PLATFORM), submitsWith(A)]).toEqual([1, 1, 0])
    expect(await holder(plain)).toBeUndefined()
    await storeDefaultCredential(engine.deps, undefined)
    await generate(plain)
    await engine.settle()
    expect(submitsWith(A)).toBe(1)
    expect(await holder(plain)).toBe('AAAAAAAA')
    // It stays in the pool.
    expect((await listPoolTokens(admin)).map(({ lastAssignedAt }) => lastAssignedAt)).not.toEqual([
      null,
    ])
  })

  test('A-TOKEN-1: a dead token is replaced from the pool before the platform’s, which is used while the pool is empty', async () => {
    await storeDefaultCredential(engine.deps, PLATFORM)
    const user = await engine.user()
    await giveToken(engine, user, MINE)
    dead(MINE)
    await generate(user)
    await engine.settle()
    expect([submitsWith(MINE), submitsWith(PLATFORM)]).toEqual([1, 1])
    await pool(A)
    await generate(user)
    await engine.settle()
    expect([submitsWith(A), submitsWith(PLATFORM)]).toEqual([1, 1])
    expect(await holder(user)).toBe('AAAAAAAA')
  })

  test('A-TOKEN-1, A-TOKEN-2: dead tokens are replaced by the pool token that was assigned longest ago, in turn', async () => {
    await pool(A, B, C)
    const users = []
    for (let i = 0; i < 4; i++) {
      const user = await engine.user()
      await giveToken(engine, user, `U${i}U${i}U${i}U${i}-dead-token-of-user-CANARY`)
      users.push(user)
    }
    dead(...users.map((_, i) => `U${i}U${i}U${i}U${i}-dead-token-of-user-CANARY`))
    const held = []
    for (const user of users) {
      await generate(user)
      await engine.settle()
      held.push(await holder(user))
    }
    expect(held).toEqual(['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC', 'AAAAAAAA'])
    for (const user of users) {
      expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
      expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 1 } })
    }
  })

  test('F8: ten orders get a 401 for one token at once: one replacement, and all continue', async () => {
    for (let trial = 0; trial < trials(50, 1000); trial++) {
      const bad = tokenOf(trial, 'bad')
      await emptyPool()
      await pool(tokenOf(trial, 'one'), tokenOf(trial, 'two'))
      const user = await engine.user({ plan: 'Enterprise' })
      await giveToken(engine, user, bad)
      dead(bad)
      for (let i = 0; i < 10; i++) await generate(user)
      await engine.settle()
      const { rows } = await engine.pool.query<{ n: number }>(
        'select count(*)::int as n from credentials where pool_position is not null and last_assigned_at is not null',
      )
      expect(rows[0]?.n).toBe(1)
      expect((await videosOf(engine, user)).map(({ status }) => status)).toEqual(
        Array.from({ length: 10 }, () => 'completed'),
      )
      const { rows: failed } = await engine.pool.query(
        `select 1 from attempts join videos on videos.id = video_id
         where videos.user_id = $1 and attempts.state = 'failed'`,
        [user.actor.id],
      )
      expect(failed).toHaveLength(0)
    }
  })
})

describe('storing tokens', () => {
  test('encrypted at rest, masked, found by their fingerprint; readable in no table, job or log', async () => {
    await pool(A, B)
    expect(await attempt(() => addPoolToken(admin, A))).toBe('CONFLICT')
    const user = await engine.user()
    dead(A)
    await generate(user)
    await engine.settle()
    const listed = JSON.stringify(await listPoolTokens(admin))
    expect(listed).toContain('AAAAAAAA••••')
    expect(listed).not.toContain('CANARY')
    expect((await everythingStored()).includes('CANARY')).toBe(false)
  })

  test('a dead token stays dead until it is pasted again', async () => {
    await pool(A, B)
    dead(A)
    const user = await engine.user()
    await generate(user)
    await engine.settle()
    expect(await states()).toEqual({ AAAAAAAA: 'dead', BBBBBBBB: 'ok' })
    await engine.clock.move(48 * 3_600_000)
    await generate(user)
    await engine.settle()
    expect([submitsWith(A), submitsWith(B)]).toEqual([1, 2])
    await engine.deps.db.transaction((tx) => storeCredential(engine.deps, tx, A))
    expect(await states()).toMatchObject({ AAAAAAAA: 'ok' })
  })

  test('a token is cooling while its account is paused', async () => {
    await pool(A)
    await engine.pool.query(
      `insert into provider_gates (scope, reason, closed_until, probe_ms, closed_at)
       select account, 'rate-limited', engine_now() + interval '5 minutes', 1000, engine_now() from credentials`,
    )
    expect(await listPoolTokens(admin)).toMatchObject([{ state: 'cooling' }])
    await engine.clock.move(300_000)
    expect(await listPoolTokens(admin)).toMatchObject([{ state: 'ok' }])
  })
})

/** Returns every value of every table as text. */
async function everythingStored(): Promise<string> {
  const { rows } = await engine.pool.query<{ text: string }>(`
    select string_agg(query_to_xml(format('select * from %I.%I', schemaname, tablename), true, false, '')::text, '') as text
    from pg_tables where schemaname in ('public', 'graphile_worker')`)
  return rows[0]?.text ?? ''
}

describe('without a usable token', () => {
  test(`F9: an empty pool holds the line with a reason, without attempts or charges; a new token releases it (seed ${SEED})`, async () => {
    const rng = openRng(9)
    for (let trial = 0; trial < trials(12, 250); trial++) {
      await emptyPool()
      const calls = engine.fake.calls().length
      const user = await engine.user({ plan: 'Professional' })
      await bulk(user, 4)
      await generate(user)
      await engine.advance(30_000 + rng.below(600_000))
      expect(engine.fake.calls()).toHaveLength(calls)
      const { rows } = await engine.pool.query(
        `select distinct state, hold_reason from line_entries`,
      )
      expect(rows).toEqual([{ state: 'held', hold_reason: 'token' }])
      expect((await videosOf(engine, user)).map(({ status }) => status)).not.toContain('error')
      // The day may be over by now, so not the day's counters.
      expect(await quotaOf(engine, user)).toMatchObject({ lines: { reserved: 5 } })
      await addPoolToken(admin, tokenOf(trial, 'new'))
      await engine.advance(5_000)
      // The single video and one round: what had to wait does not go out faster than the plan
      // allows.
      expect(submitsWith(tokenOf(trial, 'new'))).toBe(1 + 3)
      await engine.settle()
      expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 5 } })
    }
  })

  test(`F9: every token is bad: no hot loop, no failure, and work resumes with the first good one (seed ${SEED})`, async () => {
    const rng = openRng(90)
    for (let trial = 0; trial < trials(12, 250); trial++) {
      await emptyPool()
      const bad = ['A', 'B', 'C'].slice(rng.below(3)).map((name) => tokenOf(trial, name))
      await pool(...bad)
      dead(...bad)
      const calls = engine.fake.calls().length
      const user = await engine.user({ plan: 'Professional' })
      for (let i = 0; i < 3; i++) await generate(user)
      await engine.advance(30_000 + rng.below(600_000))
      // Each token is used at most once per order that was under way.
      expect(engine.fake.calls().length - calls).toBeLessThanOrEqual(3 * bad.length)
      expect((await videosOf(engine, user)).map(({ status }) => status)).toEqual(
        Array.from({ length: 3 }, () => 'pending'),
      )
      await addPoolToken(admin, tokenOf(trial, 'good'))
      await engine.advance(5_000)
      expect(submitsWith(tokenOf(trial, 'good'))).toBe(3)
      await engine.settle()
      expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 3 } })
    }
  })

  test('an order is polled with another token of the same account', async () => {
    await engine.close()
    await start({ can: { needsCredential: true }, env: { TOKEN_ACCOUNTS: 'shared' } })
    admin = await engine.admin()
    await pool('acme:one-CANARY', 'acme:two-CANARY')
    const user = await engine.user()
    await generate(user)
    await engine.drain()
    engine.fake.play({ ...DEFAULTS, tokens: { 'acme:one-CANARY': { dead: true } } })
    await engine.settle()
    expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
    expect(engine.fake.entries()).toHaveLength(1)
  })
})
