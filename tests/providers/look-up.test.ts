import { afterEach, describe, expect, test } from 'vitest'
import { clipNote } from '../simulator/clip'
import type { Action } from '../simulator/scenario'
import type { Flavour } from '../simulator/settings'
import { GENERATION_MS, openBench, refusalOf, REQUEST, type Bench } from './bench'

// After a lost answer: look, never send again. What can be found differs from protocol to protocol.

let bench: Bench
afterEach(() => bench.stop())

const MINUTE = 60_000
const NOTHING_YET = { found: 'nothing', settled: false }
const NOTHING_EVER = { found: 'nothing', settled: true }

async function lose(flavour: Flavour, fault: NonNullable<Action['fault']>, env = {}) {
  const rules = [{ when: { op: 'submit' as const }, times: 1, do: { fault } }]
  bench = await openBench(flavour, { scenario: { rules }, env })
  const { acceptance } = await refusalOf(bench.submit({}, 'att-lost'))
  expect(acceptance).toBe('unknown')
}
const look = (ageMs: number) => bench.find(REQUEST.prompt, 'att-lost', ageMs)

describe('vertex-veo with a bucket', () => {
  test('F11: a taken order is found by its own folder, and its clip is the order’s', async () => {
    await lose('vertex-veo', 'drop-after-accept')
    expect(await look(0)).toEqual(NOTHING_YET)
    bench.wait(GENERATION_MS)
    const found = await look(GENERATION_MS)
    if (found.found !== 'assets') throw new Error(JSON.stringify(found))
    const clip = await bench.fetch(found.ref, found.assets[0])
    expect(clipNote(clip)).toContain('att-lost')
    // A restarted worker asks about the folder as it would about an operation.
    expect(await bench.poll(found.ref)).toMatchObject({ state: 'succeeded' })
    expect(bench.sim.accepted({ attemptId: 'att-lost' })).toHaveLength(1)
  })

  test('F11: one that was not taken is settled only when it could no longer turn up', async () => {
    await lose('vertex-veo', 'drop-before-accept')
    expect(await look(7 * MINUTE)).toEqual(NOTHING_YET)
    expect(await look(20 * MINUTE - 1)).toEqual(NOTHING_YET)
    expect(await look(20 * MINUTE)).toEqual(NOTHING_EVER)
    expect(bench.sim.accepted()).toHaveLength(0)
  })

  test('another attempt’s folder is never looked into', async () => {
    await lose('vertex-veo', 'drop-before-accept')
    await bench.submit({}, 'att-lost-2')
    bench.wait(GENERATION_MS)
    expect(await look(GENERATION_MS)).toEqual(NOTHING_YET)
  })

  test('a bucket that cannot be listed says nothing about the order', async () => {
    await lose('vertex-veo', 'drop-after-accept')
    bench.wait(GENERATION_MS)
    for (const status of [401, 403, 500, 503]) {
      bench.sim.play({ rules: [{ when: { op: 'list' }, do: { status } }] })
      expect((await refusalOf(look(GENERATION_MS))).evidence.status).toBe(status)
    }
  })
})

describe('servers with a list of orders', () => {
  test.each([
    ['openai', {}],
    ['gateway', { OPENAI_VIDEOS_AMBIGUOUS: 'list' }],
    ['vllm-omni', { OPENAI_VIDEOS_AMBIGUOUS: 'list' }],
  ] as const)(
    'F11: %s: a taken order is found by what was asked for and when',
    async (flavour, env) => {
      await lose(flavour, 'drop-after-accept', env)
      const found = await look(30_000)
      if (found.found !== 'job') throw new Error(JSON.stringify(found))
      bench.wait(GENERATION_MS)
      expect(await bench.poll(found.ref)).toMatchObject({ state: 'succeeded' })
      expect(bench.sim.accepted()).toHaveLength(1)
    },
  )

  test('F11: an older or a differing order is not it', async () => {
    await lose('openai', 'drop-before-accept')
    await bench.submit({ prompt: 'another prompt' }, 'att-other')
    await bench.submit({ durationSeconds: 8 }, 'att-longer')
    await bench.submit({ aspectRatio: 'landscape' }, 'att-wide')
    expect(await look(30_000)).toEqual(NOTHING_YET)
    // The same prompt, ordered long before the lost one.
    await bench.submit({}, 'att-before')
    bench.wait(10 * MINUTE)
    expect(await look(1_000)).toEqual(NOTHING_YET)
    expect(await look(20 * MINUTE)).toEqual(NOTHING_EVER)
  })

  test('F11: of two alike, the one that belongs to nobody else', async () => {
    await lose('openai', 'drop-after-accept')
    const twin = await bench.submit({}, 'att-twin')
    const attempt = {
      ...{ attemptId: 'att-lost', request: REQUEST, ageMs: 10_000 },
      sentAt: new Date(bench.sim.now() - 10_000),
      accountScope: bench.credential().accountScope,
    }
    const ask = (isTaken?: (id: string) => Promise<boolean>) =>
      bench.provider.find!(
        isTaken === undefined ? attempt : { ...attempt, isTaken },
        bench.credential(),
        AbortSignal.timeout(10_000),
      )
    const found = await ask(async (id) => id === twin.id)
    if (found.found !== 'job') throw new Error(JSON.stringify(found))
    expect(found.ref.id).not.toBe(twin.id)
    // Nobody can say whose is whose: both are left alone.
    expect(await ask()).toEqual(NOTHING_YET)
    expect(await ask(async () => true)).toEqual(NOTHING_YET)
  })
})

describe('where nothing can be found', () => {
  test.each(['vertex-base64', 'gateway', 'runway'] as const)(
    'F11: %s: the adapter does not pretend to look, unless the operator chose to order again',
    async (flavour) => {
      bench = await openBench(flavour)
      expect(bench.provider.find).toBeUndefined()
      expect(bench.provider.can.recover).toBe('none')
      await bench.stop()
      const name = { 'vertex-base64': 'VERTEX', gateway: 'OPENAI_VIDEOS', runway: 'RUNWAY' }[
        flavour
      ]
      await lose(flavour, 'drop-after-accept', { [`${name}_AMBIGUOUS`]: 'resubmit' })
      expect(await look(0)).toEqual(NOTHING_EVER)
    },
  )

  test.each(['sglang', 'vllm-omni', 'fastvideo'] as const)(
    'F11: %s runs on one’s own machines: ordering again costs time only',
    async (flavour) => {
      await lose(flavour, 'drop-after-accept')
      expect(await look(0)).toEqual(NOTHING_EVER)
    },
  )
})
