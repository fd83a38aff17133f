import { expect, test } from 'vitest'
import type { UserCtx } from '../../../app/domain/context'
import { storeDefaultCredential } from '../../../app/domain/tokens/credentials.server'
import { DEFAULT_TOKEN, type Flavour } from '../../simulator/settings'
import type { Operation, ScenarioInput } from '../../simulator/scenario'
import { ID_PLACES, type Strange } from '../../simulator/strange'
import { generate, quotaOf, videosOf } from '../../support/engine/actions'
import { findingAbout } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'
import { takeTurns } from '../../support/engine/trials'
import { slowTest } from '../../support/slow'

// Gateways that speak a known protocol in their own way: other words, places, labels and encodings.
// What they finish is delivered, what they refuse costs nothing, and they are not asked more often.

const { engine, start: startEngine } = useFreshEngine()
const cases = takeTurns()
const FLAVOURS = ['openai', 'gateway', 'runway'] as const
const GENERATION_MS = 60_000

async function start(flavour: Flavour): Promise<void> {
  await startEngine({ flavour })
  await storeDefaultCredential(engine.deps, DEFAULT_TOKEN)
}

const play = (strange: Strange, rules: ScenarioInput['rules'] = []) =>
  engine.sim!.play({ defaults: { generationMs: GENERATION_MS }, strange, rules })

const count = (op: Operation) => engine.sim!.journal().filter((entry) => entry.op === op).length
const paid = () => engine.sim!.stats().ordersAccepted
const lastOf = async (user: UserCtx) => (await videosOf(engine, user)).at(-1)
const minute = (n: number) => n * 60_000

/** Makes one video and returns how often the provider was asked for it. */
async function made(user: UserCtx) {
  const before = { polls: count('poll'), paid: paid() }
  await generate(user)
  await engine.settle()
  expect(await lastOf(user)).toMatchObject({ status: 'completed' })
  return { polls: count('poll') - before.polls, paid: paid() - before.paid }
}

const answersFinding = async () => (await findingAbout(engine, 'Provider answers'))?.text

test.each(cases(FLAVOURS))(
  'W4: %s finishes an order in its own word: delivered within one poll, for one order',
  async (flavour) => {
    await start(flavour)
    play({})
    const user = await engine.user()
    const usual = await made(user)
    for (const done of ['done', 'success', 'finished', 'complete', 'COMPLETED', 'SUCCESS']) {
      play({ words: { done, running: 'Dreaming', queued: 'NOT_START' }, wrapped: done === 'done' })
      expect(await made(user), done).toEqual(usual)
    }
    expect(await answersFinding()).toBeUndefined()
  },
)

slowTest.each(cases(FLAVOURS))(
  'W4: %s ends an order in its own word for failure: the video fails long before its deadline',
  async (flavour) => {
    await start(flavour)
    const user = await engine.user()
    for (const failed of ['FAILURE', 'timeout', 'Rejected', 'CANCELED', 'expired']) {
      play({ words: { failed } }, [{ when: { op: 'submit' }, do: { outcome: 'failed' } }])
      await generate(user)
      await engine.advance(minute(8))
      expect(await lastOf(user), failed).toMatchObject({ status: 'error' })
      // Several videos in a row that end without a clip would pause the account.
      play({})
      await made(user)
    }
  },
)

test.each(cases(['openai', 'gateway'] as const))(
  'W4: %s finishes in an unknown word at 100 %: the clip is asked for, and System names the word',
  async (flavour) => {
    await start(flavour)
    play({})
    const user = await engine.user()
    const usual = await made(user)
    play({ words: { done: 'wrapped up', running: 'rehearsing' } })
    expect(await made(user)).toEqual(usual)
    expect(await answersFinding()).toContain('“wrapped up”')
    expect(await answersFinding()).toContain('“rehearsing”')
  },
)

slowTest(
  'W4: an unknown word without a number: the clip is asked for before the order is given up',
  async () => {
    await start('runway')
    play({ words: { done: 'ENDED' } })
    const user = await engine.user()
    await generate(user)
    await engine.advance(minute(10))
    expect(await lastOf(user)).toMatchObject({ status: 'generating' })
    await engine.settle()
    expect(await lastOf(user)).toMatchObject({ status: 'completed' })
    expect(paid()).toBe(1)
  },
)

test.each(cases(FLAVOURS))(
  'W5: %s puts the id elsewhere: one order, delivered',
  async (flavour) => {
    await start(flavour)
    const user = await engine.user({ video_limit: 50 })
    for (const idAt of ID_PLACES) {
      // An id that stands nowhere is a lost order.
      if (idAt === 'nowhere') continue
      play({ idAt })
      expect((await made(user)).paid, idAt).toBe(1)
    }
    play({ idAs: 'number', idAt: 'data.id' })
    expect((await made(user)).paid).toBe(1)
  },
)

slowTest.each(cases(FLAVOURS))(
  'W6: %s asks for no pause, or for one in the past: our own growing pause stays',
  async (flavour) => {
    await start(flavour)
    const user = await engine.user({ video_limit: 50 })
    const busy = (op: Operation, status: number) => [{ when: { op }, times: 300, do: { status } }]
    let turn = FLAVOURS.indexOf(flavour)
    for (const retryAfter of ['0', '-1', '5, 5', 'past', 'soon', '0.001']) {
      for (const [op, status] of [
        ['poll', 503],
        ['poll', 429],
        ['content', 503],
        ['submit', 429],
        ['submit', 503],
      ] as const) {
        // Each combination with one protocol: they share what reads the header.
        if (turn++ % FLAVOURS.length !== 0) continue
        play({ retryAfter }, busy(op, status))
        const before = count(op)
        await generate(user)
        await engine.advance(minute(3))
        // The gate of an account takes a short wish as its first step, without growing.
        const most = op === 'submit' && retryAfter === '0.001' ? 100 : 40
        expect(count(op) - before, `${op} ${status} ${retryAfter}`).toBeLessThan(most)
        play({})
        await engine.settle()
      }
    }
  },
)

slowTest.each(cases(FLAVOURS))(
  'W7: %s compresses everything, although nobody asked: delivered, for one order',
  async (flavour) => {
    await start(flavour)
    play({})
    const user = await engine.user()
    const usual = await made(user)
    for (const encoding of ['gzip', 'deflate', 'deflate-raw', 'br'] as const) {
      play({ encoding })
      expect(await made(user), encoding).toEqual(usual)
    }
  },
)

test.each(cases(FLAVOURS))(
  'W8: %s refuses with status 200: the account pauses, no order counts as lost, and work resumes',
  async (flavour) => {
    await start(flavour)
    const user = await engine.user()
    for (const errorsAs200 of ['plain', 'base_resp'] as const) {
      const message = 'insufficient balance'
      play({ errorsAs200 }, [{ when: { op: 'submit' }, times: 1, do: { status: 402, message } }])
      const before = paid()
      await generate(user)
      await engine.advance(minute(5))
      expect(paid() - before).toBe(0)
      const { rows } = await engine.pool.query(
        `select 1 from line_entries where state = 'held' and hold_reason = 'quota'`,
      )
      expect(rows, errorsAs200).toHaveLength(1)
      await engine.settle()
      expect(await lastOf(user)).toMatchObject({ status: 'completed' })
      expect(paid() - before).toBe(1)
    }
    const lost = await engine.pool.query('select 1 from attempts where lost_at is not null')
    expect(lost.rows).toEqual([])
  },
)

test.each(cases(FLAVOURS))(
  'W9: %s labels a clip as something else: delivered, fetched once',
  async (flavour) => {
    await start(flavour)
    const user = await engine.user()
    for (const label of ['text/plain', 'application/json', 'text/html', 'binary/octet-stream']) {
      play({ label })
      const before = count('content')
      expect((await made(user)).paid).toBe(1)
      expect(count('content') - before, label).toBe(1)
    }
  },
)

test.each(cases(FLAVOURS))(
  'W9: %s has no clip yet: a paid clip is asked for until it is there, for one order',
  async (flavour) => {
    await start(flavour)
    const user = await engine.user()
    const notYet = { status: 400, message: 'The video is not ready yet' }
    // Five times is what gives up a clip that is gone.
    for (const [times, does] of [
      [6, notYet],
      [4, { status: 404 }],
      [6, { fault: 'json' }],
      [6, { status: 409 }],
      [2, { status: 400, message: 'Blocked by our moderation system' }],
    ] as const) {
      play({}, [{ when: { op: 'content' }, times, do: does }])
      expect((await made(user)).paid, JSON.stringify(does)).toBe(1)
    }
  },
)

slowTest(
  'W9: a clip that is gone is given up when it was gone five times over ten minutes',
  async () => {
    await start('openai')
    const user = await engine.user()
    play({}, [{ when: { op: 'content' }, do: { status: 404 } }])
    await generate(user)
    await engine.advance(GENERATION_MS + minute(9))
    expect(await lastOf(user)).toMatchObject({ status: 'generating' })
    await engine.advance(minute(4))
    expect(await lastOf(user)).toMatchObject({ status: 'error' })
    const tries = count('content')
    expect(tries).toBe(5)
    await engine.settle()
    expect(await quotaOf(engine, user)).toMatchObject({ lines: { returned: 1 } })
  },
)
