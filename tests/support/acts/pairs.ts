import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import type { UserCtx } from '../../../app/domain/context'
import { isAppError } from '../../../app/domain/errors'
import { PATIENCE_MS } from '../engine/trials'
import { DONE, type Thing } from './thing'
import { openCustomer, openWorld, type World } from './world'

type Ways = {
  /**
   * `npm test` runs one pair of so many that begin with a trait, and of those that begin with an act; `npm run
   * test:slow` runs the others.
   */
  oneOfTraits: number
  oneOfActs: number
  env?: () => Record<string, string>
  /** Invariants that do not hold of the thing. */
  except?: readonly string[]
}

const SUITE = process.env.TEST_SUITE

/** The words of a refusal without the day and the number that they name. */
const plain = (words: string): string =>
  words.replaceAll(/\b\d{1,2} \w{3} \d{4}\b/g, '<day>').replaceAll(/\b\d{8,}\b/g, '<number>')

/**
 * Generates a test for each ordered pair of what may happen to a thing. The first of a pair may also be what the
 * thing is. After each act the page shows what is stored; a refused act has changed nothing, and its words
 * are those of the table; after the pairs of each act the invariants hold.
 */
export function testPairs<Subject, Act extends string, Trait extends string>(
  title: string,
  thing: Thing<Subject, Act, Trait>,
  { oneOfTraits, oneOfActs, env, except = [] }: Ways,
): void {
  vi.setConfig({ testTimeout: PATIENCE_MS })
  let world: World
  beforeAll(async () => {
    world = await openWorld(env?.())
  })
  afterAll(() => world.engine.close())

  const acts = Object.keys(thing.acts) as Act[]
  const firsts: (Act | Trait)[] = [...thing.traits, ...acts]
  const isTrait = (name: Act | Trait): name is Trait =>
    (thing.traits as readonly string[]).includes(name)

  /** Returns what is said when `then` is refused after `first`; null: it is done. */
  function expected(first: Act | Trait, then: Act): string | null {
    const rows = thing.refusals.filter((row) => row.then.includes(then))
    const own = rows.find(({ after }) => after !== 'any' && after.includes(first))
    const says = (own ?? rows.find(({ after }) => after === 'any'))?.says
    return says === undefined || says === DONE ? null : says
  }

  /** Does an act. Returns the words of its refusal, or null. */
  async function tell(subject: Subject, act: Act): Promise<string | null> {
    const before = await thing.stored(world, subject)
    try {
      await thing.acts[act](world, subject)
    } catch (error) {
      if (!isAppError(error)) throw error
      expect(await thing.stored(world, subject)).toEqual(before)
      await thing.agrees(world, subject)
      return plain(error.message)
    }
    await thing.agrees(world, subject)
    return null
  }

  const people = new Map<string, UserCtx>()

  /** Returns a thing of somebody of its own, after the first of a pair. */
  async function after(first: Act | Trait): Promise<Subject> {
    const traits = new Set(isTrait(first) ? [first] : [])
    const person = await openCustomer(world.engine)
    people.set(person.actor.id, person)
    const subject = await thing.open(world, person, traits)
    await world.engine.drain()
    await thing.agrees(world, subject)
    if (!isTrait(first)) await tell(subject, first)
    return subject
  }

  /** Cancels what is left of their batches. Otherwise the days of later pairs would be theirs as well. */
  async function leave(): Promise<void> {
    const { rows } = await world.engine.pool.query<{ id: string; ownerId: string }>(
      `select id, user_id as "ownerId" from batches where status = 'processing'`,
    )
    for (const { id, ownerId } of rows) {
      const owner = people.get(ownerId)
      if (!owner) continue
      // Who may not cancel it, because the account is deleted, orders nothing more either.
      await cancelBatch(owner, id).catch((error: unknown) => {
        if (!isAppError(error)) throw error
      })
    }
  }

  /** In `npm test` each act is as often first as it is second, and more often what comes after a trait. */
  function seconds(first: Act | Trait): Act[] {
    const oneOf = isTrait(first) ? oneOfTraits : oneOfActs
    const isQuick = (place: number) => (place + firsts.indexOf(first)) % oneOf === 0
    return acts.filter((_, place) => SUITE === undefined || isQuick(place) === (SUITE === 'quick'))
  }

  const tried = firsts.filter((first) => seconds(first).length > 0)
  describe.each(tried)(`${title}: %s, then`, (first) => {
    // Once for all pairs that begin with it: looking at every row takes longer than a pair.
    afterAll(async () => {
      // It lets batches go on whose owners may order again.
      await world.engine.sweep()
      const violated = Object.keys(await world.engine.violations())
      expect(violated.filter((name) => !except.includes(name))).toEqual([])
      expect(await world.engine.jobErrors()).toEqual([])
      await leave()
    })
    test.each(seconds(first))('%s', async (then) => {
      const subject = await after(first)
      expect(await tell(subject, then)).toBe(expected(first, then))
      await world.engine.advance(61_000)
      await thing.agrees(world, subject)
    })
  })
}
