import { expect, test } from 'vitest'
import { storeDefaultCredential } from '../../../app/domain/tokens/credentials.server'
import { generate, statusesOf, videosOf } from '../../support/engine/actions'
import { closedGates, onlyVideo } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'
import { takeTurns, trials } from '../../support/engine/trials'
import { slowTest } from '../../support/slow'

// One bad video never holds the others: what fails alone, while others succeed, is that video's own
// fault.

const { engine, start: startEngine } = useFreshEngine()

const FAST = { defaults: { generationMs: 20_000 } }
const OTHERS = trials(50, 50)
const cases = takeTurns()

async function start(): Promise<void> {
  await startEngine({ can: { needsCredential: true }, scenario: FAST })
  await storeDefaultCredential(engine.deps, 'the-account:0123456789')
}

/** Applies to the orders whose prompt names a bad video. */
const play = (op: 'submit' | 'content', action: object) =>
  engine.fake.play({ ...FAST, rules: [{ when: { op, promptIncludes: 'BAD' }, do: action }] })

/** Returns how many orders with a prompt the provider accepted, by its own ledger. */
async function ordered(prompt: string): Promise<number> {
  const { rows } = await engine.pool.query<{ id: string }>(
    'select attempts.id from attempts join videos on videos.id = video_id where prompt = $1',
    [prompt],
  )
  const ids = new Set<string | null>(rows.map(({ id }) => id))
  return engine.fake.entries().filter(({ attemptId }) => ids.has(attemptId)).length
}

/** Others order one after the other. Each is ordered from the provider within two seconds. */
async function expectOthersOnTime(count = OTHERS): Promise<void> {
  const late: string[] = []
  for (let i = 0; i < count; i++) {
    const prompt = `good ${i}`
    await generate(await engine.user(), prompt)
    await engine.advance(2_000)
    if ((await ordered(prompt)) !== 1) late.push(prompt)
    await engine.advance(17_000)
  }
  expect(late).toEqual([])
}

test.each(
  cases([
    ['503', { status: 503 }],
    ['a connection that breaks', { fault: 'truncate' }],
    ['an empty body, which is no clip', { fault: 'no-bytes' }],
  ]),
)(
  `V1: a clip whose host answers with %s does not hold the others: ${OTHERS} of ${OTHERS} are ordered within 2 s`,
  async (_name, action) => {
    await start()
    play('content', action)
    const owner = await engine.user()
    await generate(owner, 'a BAD clip')
    await engine.advance(30_000)
    await expectOthersOnTime()
    expect(await closedGates(engine)).toEqual([])
    engine.fake.play(FAST)
    await engine.settle()
  },
)

test('V1: a paid clip that could not be fetched for a quarter of an hour is delivered', async () => {
  await start()
  play('content', { status: 503 })
  const owner = await engine.user()
  await generate(owner, 'a BAD clip')
  await engine.advance(15 * 60_000)
  engine.fake.play(FAST)
  await engine.settle()
  expect(await onlyVideo(engine, owner)).toMatchObject({ status: 'completed' })
  expect(await ordered('a BAD clip')).toBe(1)
})

test('V1: three different clips of one host fail in a row: nothing is ordered until one arrives, then all at once', async () => {
  await start()
  engine.fake.play({ ...FAST, rules: [{ when: { op: 'content' }, do: { status: 503 } }] })
  const user = await engine.user({ plan: 'Enterprise' })
  for (let i = 0; i < 3; i++) await generate(user, `waiting ${i}`)
  await engine.advance(30_000)
  expect(await closedGates(engine)).toEqual([{ scope: 'clips fake', reason: 'clips' }])
  for (let i = 0; i < 5; i++) await generate(user, `next ${i}`)
  await engine.advance(2 * 60_000)
  expect(engine.fake.entries()).toHaveLength(3)
  engine.fake.play(FAST)
  // Until the next try of a waiting clip.
  await engine.advance(75_000)
  expect(engine.fake.entries()).toHaveLength(8)
  expect(await closedGates(engine)).toEqual([])
  await engine.settle()
})

slowTest(
  'V1: three clips that never can be fetched hold the others until one probe is delivered, and never again',
  async () => {
    await start()
    play('content', { status: 503 })
    const owner = await engine.user({ plan: 'Enterprise' })
    for (let i = 0; i < 3; i++) await generate(owner, `BAD ${i}`)
    await engine.advance(30_000)
    expect(await closedGates(engine)).toEqual([{ scope: 'clips fake', reason: 'clips' }])
    const other = await engine.user()
    await generate(other, 'the probe')
    await engine.advance(7 * 60_000)
    expect(await onlyVideo(engine, other)).toMatchObject({ status: 'completed' })
    expect(await closedGates(engine)).toEqual([])
    await expectOthersOnTime(10)
    engine.fake.play(FAST)
    await engine.settle()
  },
)

test.each(cases([403, 404]))(
  `V2: an order that is always answered %i fails alone: ${OTHERS} of ${OTHERS} others are ordered within 2 s`,
  async (status) => {
    await start()
    play('submit', { status })
    const owner = await engine.user()
    await generate(owner, 'a BAD order')
    await engine.advance(1_000)
    await expectOthersOnTime()
    expect(await onlyVideo(engine, owner)).toMatchObject({ status: 'error', errorCode: 'input' })
    expect(await closedGates(engine)).toEqual([])
    expect(engine.fake.entries()).toHaveLength(OTHERS)
    const refused = engine.fake.calls().filter(({ op }) => op === 'submit').length - OTHERS
    expect(refused).toBe(2)
    await engine.settle()
  },
)

test.each(cases([403, 404]))(
  'V2: three different orders answered %i close the gate; the probe is another video, and the three fail',
  async (status) => {
    await start()
    play('submit', { status })
    const owner = await engine.user({ plan: 'Enterprise' })
    for (let i = 0; i < 3; i++) await generate(owner, `BAD ${i}`)
    await engine.drain()
    expect(await closedGates(engine)).toHaveLength(1)
    const other = await engine.user()
    await generate(other, 'a good order')
    await engine.advance(60_000)
    await engine.advance(15_000)
    expect(await ordered('a good order')).toBe(1)
    await engine.settle()
    const states = (await videosOf(engine, owner)).map((video) => video.errorCode)
    expect(states).toEqual(['input', 'input', 'input'])
    expect(engine.fake.entries()).toHaveLength(1)
  },
)

test('V2: an account that refuses every order: videos wait, none fails, and all are made once it is mended', async () => {
  await start()
  engine.fake.play({ ...FAST, rules: [{ when: { op: 'submit' }, do: { status: 403 } }] })
  const user = await engine.user({ plan: 'Enterprise' })
  for (let i = 0; i < 6; i++) await generate(user, `waiting ${i}`)
  await engine.advance(60 * 60_000)
  expect(new Set(await statusesOf(engine, user))).toEqual(new Set(['pending']))
  // Three of six, and a probe every few minutes.
  expect(engine.fake.calls().length).toBeLessThan(40)
  engine.fake.play(FAST)
  await engine.settle()
  expect(new Set(await statusesOf(engine, user))).toEqual(new Set(['completed']))
})
