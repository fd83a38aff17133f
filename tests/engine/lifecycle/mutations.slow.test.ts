import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Sql } from 'sql-template-tag'
import { addPoolToken } from '../../../app/domain/tokens/pool.server'
import type { Db, Executor } from '../../../app/platform/db/port'
import { attempt, bulk, generate } from '../../support/engine/actions'
import { SEED, PATIENCE_MS } from '../../support/engine/trials'
import { startEngine, type Engine, type EngineOptions } from '../../support/engine/engine'
import { mortalDb, newKillSwitch } from '../../support/engine/kill-switch'
import { makeWithKill, wakeTooLate } from '../../support/engine/make-video'

vi.setConfig({ testTimeout: PATIENCE_MS })

// Checks that the invariants detect violations. Each safety rule is switched off in turn, in the
// harness and not in the product, and the invariants have to fail. Each scenario also runs with the
// rule in place, where they have to hold.
let engine: Engine
afterEach(() => engine.close())

type Edit = { find: RegExp; put: string }

/** Returns a database that rewrites its statements. Adds every edit that has matched to `seen`. */
function editing(edits: readonly Edit[], seen: Set<Edit>): (db: Db) => Db {
  const edited = ({ text, values }: Sql): Sql => {
    let result = text
    for (const edit of edits) {
      if (!edit.find.test(result)) continue
      seen.add(edit)
      result = result.replace(edit.find, edit.put)
    }
    const statement: unknown = { text: result, values }
    return statement as Sql
  }
  const through = (inner: Executor): Executor => ({
    rows: (query) => inner.rows(edited(query)),
    row: (query) => inner.row(edited(query)),
    one: (query) => inner.one(edited(query)),
    run: (query) => inner.run(edited(query)),
    prisma: (ask) => inner.prisma(ask),
  })
  return (db) => ({
    ...db,
    ...through(db),
    transaction: (work) => db.transaction((tx) => work({ ...through(tx), inTransaction: true })),
  })
}

/** Runs each statement on its own, so that a decision is no longer atomic. */
const withoutTransactions = (db: Db): Db => ({
  ...db,
  transaction: (work) => work({ ...db, inTransaction: true }),
})

type Rule = {
  broken: (db: Db, seen: Set<Edit>) => Db
  edits?: readonly Edit[]
  scenario: () => Promise<void>
  can?: EngineOptions['can']
  /** The invariants that have to detect it. */
  sees: RegExp
}

const FAST = { defaults: { generationMs: 20_000 } }

/** Kills the process while it accepts a video, after each of its statements in turn. */
async function killedWhileAccepting(): Promise<void> {
  for (let statements = 1; statements <= 20; statements++) {
    const user = await engine.user({ video_limit: 100 })
    const killSwitch = newKillSwitch()
    killSwitch.killAfter(statements)
    await generate({ ...user, db: mortalDb(user.db, killSwitch) }).catch(() => undefined)
  }
  await engine.settle()
}

/** Freezes a worker after its order until others have declared it dead and taken over its work. */
async function sleepsThroughItsBurial(): Promise<void> {
  await generate(await engine.user())
  const sleeper = await engine.startTestWorker()
  const asleep = sleeper.killSwitch.freezeAt(/after provider submit/)
  const going = sleeper.drain()
  await asleep
  await wakeTooLate(engine, sleeper, going)
}

const killedWhileSending = async () =>
  makeWithKill(engine, await engine.user(), /after provider submit/)

async function rounds(): Promise<void> {
  const user = await engine.user({ plan: 'Professional' })
  await bulk(user, 9)
  await engine.settle()
}

async function moreThanIsLeft(): Promise<void> {
  const user = await engine.user({ video_limit: 3 })
  await Promise.all(Array.from({ length: 10 }, () => attempt(() => generate(user))))
  await engine.settle()
}

const FENCE: Edit = {
  find: /lease_token = (\$\d+)::uuid\s+and state in \('queued', [^)]*\)/,
  put: '$1::uuid is not null',
}
const RESEND: Edit = {
  find: /when state = 'submitting' then 'unknown'::attempt_state/,
  put: `when state = 'submitting' then 'queued'::attempt_state`,
}
const NO_WAIT: Edit = {
  find: /select extract\(epoch from greatest\([^]*?\) - engine_now\(\)\)::float \* 1000 as "waitMs",[^]*? as "hasUnsent"/,
  put: 'select 0::float as "waitMs", false as "hasUnsent"',
}
const EARLY: Edit = {
  find: /and greatest\(batches\.next_round_at[^]*?(?=and users\.id = batches\.user_id)/,
  put: '',
}
const UNLIMITED: Edit = {
  find: /where q\.reserved \+ q\.charged \+ excluded\.reserved <= (\$\d+::int) \+ q\.gifted/,
  put: 'where $1 is not null',
}

const NEWEST_FIRST: Edit = {
  find: /order by last_assigned_at nulls first, pool_position\s+for update/,
  put: 'order by last_assigned_at desc nulls last, pool_position for update',
}

async function threeWithoutTokens(): Promise<void> {
  const admin = await engine.admin()
  for (const name of ['one', 'two', 'three']) await addPoolToken(admin, `${name}-0123456789abcdef`)
  for (let i = 0; i < 3; i++) {
    await generate(await engine.user())
    await engine.settle()
  }
}

const RULES: Record<string, Rule> = {
  'A-TOKEN-2 the pool gives its tokens in turn': {
    broken: (db, seen) => editing([NEWEST_FIRST], seen)(db),
    edits: [NEWEST_FIRST],
    scenario: threeWithoutTokens,
    can: { needsCredential: true },
    sees: /^I14/,
  },
  'R1 each decision is one transaction': {
    broken: withoutTransactions,
    scenario: killedWhileAccepting,
    sees: /^I4|^I2|^I16/,
  },
  'R7 every write is fenced': {
    broken: (db, seen) => editing([FENCE], seen)(db),
    edits: [FENCE],
    scenario: sleepsThroughItsBurial,
    sees: /^I11|^I16|^I8|^I4/,
  },
  'R8 an order whose response was lost is never sent again': {
    broken: (db, seen) => editing([RESEND], seen)(db),
    edits: [RESEND],
    scenario: killedWhileSending,
    sees: /^I6/,
  },
  'R10 the database decides when a round is due': {
    broken: (db, seen) => editing([NO_WAIT, EARLY], seen)(db),
    edits: [NO_WAIT, EARLY],
    scenario: rounds,
    sees: /^I9/,
  },
  'R12 quota is one conditional statement': {
    broken: (db, seen) => editing([UNLIMITED], seen)(db),
    edits: [UNLIMITED],
    scenario: moreThanIsLeft,
    sees: /^I5/,
  },
}

describe.each(Object.entries(RULES))(
  '%s',
  (_name, { broken, edits = [], scenario, can = {}, sees }) => {
    test(`the rule is in place: the invariants hold (seed ${SEED})`, async () => {
      engine = await startEngine({ scenario: FAST, can })
      await scenario()
      expect(await engine.violations()).toEqual({})
    })

    test('the rule is switched off: an invariant fails', async () => {
      const seen = new Set<Edit>()
      engine = await startEngine({
        scenario: FAST,
        can,
        deps: ({ db }) => ({ db: broken(db, seen) }),
      })
      // A rule that is off may also cause errors. Only the invariants decide.
      await scenario().catch(() => undefined)
      expect(seen.size).toBe(edits.length)
      expect(Object.keys(await engine.violations()).filter((name) => sees.test(name))).not.toEqual(
        [],
      )
    })
  },
)
