import { afterEach, describe, expect, test } from 'vitest'
import { clipNote } from '../simulator/clip'
import type { Action, ScenarioInput } from '../simulator/scenario'
import type { Flavour } from '../simulator/settings'
import { GENERATION_MS, openRig, refusalOf, REQUEST, type Rig } from './rig'

// After a lost response: look up the order, never send it again. What can be found depends on the
// protocol.

let rig: Rig
afterEach(() => rig.stop())

const MINUTE = 60_000
const NOTHING_YET = { found: 'nothing', settled: false }
const NOTHING_EVER = { found: 'nothing', settled: true }

type Losing = { env?: Record<string, string>; scenario?: ScenarioInput; prompt?: string }

async function lose(
  flavour: Flavour,
  fault: NonNullable<Action['fault']>,
  { env = {}, scenario = {}, prompt = REQUEST.prompt }: Losing = {},
) {
  const rules = [{ when: { op: 'submit' as const }, times: 1, do: { fault } }]
  const waits = { VIDEO_PROVIDER_TIME_SCALE: '1', ...env }
  rig = await openRig(flavour, { scenario: { ...scenario, rules }, env: waits })
  const { acceptance } = await refusalOf(rig.submit({ prompt }, 'att-lost'))
  expect(acceptance).toBe('unknown')
}
const look = (ageMs: number, lostMs = ageMs) =>
  rig.find(REQUEST.prompt, 'att-lost', { ageMs, lostMs })

describe('vertex-veo with a bucket', () => {
  test('F11: an accepted order is found by its own folder, and the clip is its own', async () => {
    await lose('vertex-veo', 'drop-after-accept')
    expect(await look(0)).toEqual(NOTHING_YET)
    rig.wait(GENERATION_MS)
    const found = await look(GENERATION_MS)
    if (found.found !== 'assets') throw new Error(JSON.stringify(found))
    const clip = await rig.fetch(found.ref, found.assets[0])
    expect(clipNote(clip)).toContain('att-lost')
    // A restarted worker polls the folder like an operation.
    expect(await rig.poll(found.ref)).toMatchObject({ state: 'succeeded' })
    expect(rig.sim.accepted({ attemptId: 'att-lost' })).toHaveLength(1)
  })

  test('F11: an order that was not accepted is settled only when it can no longer appear', async () => {
    await lose('vertex-veo', 'drop-before-accept')
    expect(await look(7 * MINUTE)).toEqual(NOTHING_YET)
    // Sent a while before the connection was given up: it may have been accepted at the very end.
    expect(await look(21 * MINUTE, 20 * MINUTE - 1)).toEqual(NOTHING_YET)
    expect(await look(21 * MINUTE, 20 * MINUTE)).toEqual(NOTHING_EVER)
    expect(rig.sim.accepted()).toHaveLength(0)
  })

  test('another attempt’s folder is never searched', async () => {
    await lose('vertex-veo', 'drop-before-accept')
    await rig.submit({}, 'att-lost-2')
    rig.wait(GENERATION_MS)
    expect(await look(GENERATION_MS)).toEqual(NOTHING_YET)
  })

  test('a bucket that cannot be listed proves nothing about the order', async () => {
    await lose('vertex-veo', 'drop-after-accept')
    rig.wait(GENERATION_MS)
    for (const status of [401, 403, 500, 503]) {
      rig.sim.play({ rules: [{ when: { op: 'list' }, do: { status } }] })
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
    'F11: %s: an accepted order is found by its request and its time',
    async (flavour, env) => {
      await lose(flavour, 'drop-after-accept', { env })
      const found = await look(30_000)
      if (found.found !== 'order') throw new Error(JSON.stringify(found))
      rig.wait(GENERATION_MS)
      expect(await rig.poll(found.ref)).toMatchObject({ state: 'succeeded' })
      expect(rig.sim.accepted()).toHaveLength(1)
    },
  )

  test('F11: an older or a different order does not match', async () => {
    await lose('openai', 'drop-before-accept')
    await rig.submit({ prompt: 'another prompt' }, 'att-other')
    await rig.submit({ durationSeconds: 8 }, 'att-longer')
    await rig.submit({ aspectRatio: 'landscape' }, 'att-wide')
    expect(await look(30_000)).toEqual(NOTHING_YET)
    // The same prompt, ordered long before the lost one.
    await rig.submit({}, 'att-before')
    rig.wait(10 * MINUTE)
    expect(await look(1_000)).toEqual(NOTHING_YET)
    expect(await look(3 * MINUTE)).toEqual(NOTHING_EVER)
  })

  test('F11: of two equal orders, the one that belongs to no other attempt', async () => {
    await lose('openai', 'drop-after-accept')
    const twin = await rig.submit({}, 'att-twin')
    const attempt = {
      attemptId: 'att-lost',
      request: REQUEST,
      ageMs: 10_000,
      lostMs: 10_000,
      sentAt: new Date(rig.sim.now() - 10_000),
      accountScope: rig.credential().accountScope,
    }
    const ask = (belongsToAnother?: (id: string) => Promise<boolean>) =>
      rig.provider.find!(
        belongsToAnother === undefined ? attempt : { ...attempt, belongsToAnother },
        rig.credential(),
        AbortSignal.timeout(10_000),
      )
    const found = await ask(async (id) => id === twin.id)
    if (found.found !== 'order') throw new Error(JSON.stringify(found))
    expect(found.ref.id).not.toBe(twin.id)
    // It is unknown which order belongs to which attempt, so neither is taken.
    expect(await ask()).toEqual(NOTHING_YET)
    expect(await ask(async () => true)).toEqual(NOTHING_YET)
  })
})

/** Prompts that users write and that some server stores in another form. */
const WRITTEN = {
  'line breaks': 'A paper boat\ndrifts down a rainy street\r\n\r\nat dusk',
  'surrounding white space': '  A paper boat drifts down a rainy street \n',
  'a negative prompt folded in': `${REQUEST.prompt}\nAvoid: text, watermark`,
  'decomposed accented letters': 'Cafe\u0301 at\u00a0dusk, a\tpaper boat',
}

describe('row g: how servers store prompts', () => {
  const servers = ['multipart', 'json'].flatMap((body) =>
    (['as-parsed', 'tidied'] as const).flatMap((prompts) =>
      Object.entries(WRITTEN).map(([what, prompt]) => ({ body, prompts, what, prompt })),
    ),
  )
  test.each(servers)(
    'a lost order with $what is found, sent as $body and listed $prompts',
    async ({ body, prompts, prompt }) => {
      const env = { OPENAI_VIDEOS_BODY: body }
      await lose('openai', 'drop-after-accept', { env, prompt, scenario: { prompts } })
      const [order] = rig.sim.orders()
      expect(await rig.find(prompt, 'att-lost')).toMatchObject({
        found: 'order',
        ref: { id: order!.id },
      })
    },
  )

  test.each(['cut', 'none'] as const)(
    'an order listed with its prompt %s matches no attempt, and never proves that ours was not accepted',
    async (prompts) => {
      await lose('openai', 'drop-after-accept', { scenario: { prompts } })
      expect(await look(30_000)).toEqual(NOTHING_YET)
      rig.wait(60 * MINUTE)
      expect(await look(60 * MINUTE)).toEqual(NOTHING_YET)
      // If it belongs to another attempt, it proves nothing about ours.
      const owned = { belongsToAnother: async () => true }
      expect(await rig.find(REQUEST.prompt, 'att-lost', { ageMs: 60 * MINUTE }, {}, owned)).toEqual(
        NOTHING_EVER,
      )
    },
  )

  test('prompts that differ by a word are different', async () => {
    await lose('openai', 'drop-after-accept')
    const other = await rig.find(`${REQUEST.prompt} again`.replace('A ', 'The '), 'att-other')
    expect(other).toEqual(NOTHING_YET)
  })
})

describe('row h: how long a lost order may still appear in a list', () => {
  test('two and a half minutes after the last moment at which it could be accepted, and no longer', async () => {
    await lose('openai', 'drop-before-accept')
    expect(await look(20 * MINUTE, 149_000)).toEqual(NOTHING_YET)
    expect(await look(20 * MINUTE, 150_000)).toEqual(NOTHING_EVER)
  })

  test('an order that was accepted at the very end of a long submission is found', async () => {
    await lose('openai', 'drop-before-accept')
    // Frozen for four minutes with half of the request sent. The server accepts the order when it
    // has the whole request.
    rig.wait(4 * MINUTE)
    const { id } = await rig.submit({}, 'att-lost')
    rig.wait(MINUTE)
    expect(await look(5 * MINUTE, MINUTE)).toMatchObject({ found: 'order', ref: { id } })
    // The same order is too young for an attempt that was given up long before.
    expect(await look(5 * MINUTE, 5 * MINUTE)).toEqual(NOTHING_EVER)
  })

  test('all pages of a list are read back to the order’s time before it is settled', async () => {
    await lose('openai', 'drop-before-accept')
    const wish = { durationSeconds: 8 }
    for (let n = 0; n < 101; n += 1) await rig.submit(wish, `att-${n}`)
    rig.wait(3 * MINUTE)
    expect(await look(3 * MINUTE)).toEqual(NOTHING_EVER)
    rig.sim.play({ rules: [{ when: { op: 'list', nth: 2 }, do: { status: 500 } }] })
    await refusalOf(look(3 * MINUTE))
  })
})

describe('providers without look-ups', () => {
  test.each(['gateway', 'runway', 'generations', 'model-studio'] as const)(
    'F11: %s: the adapter offers no look-up, and orders again only if the operator chose that',
    async (flavour) => {
      rig = await openRig(flavour)
      expect(rig.provider.find).toBeUndefined()
      expect(rig.provider.can.recover).toBe('none')
      const names = {
        gateway: 'OPENAI_VIDEOS',
        runway: 'RUNWAY',
        generations: 'TASKS',
        'model-studio': 'TASKS',
      }
      const name = names[flavour]
      expect(rig.provider.can.ordersAgain).toBe(false)
      await rig.stop()
      rig = await openRig(flavour, { env: { [`${name}_AMBIGUOUS`]: 'resubmit' } })
      expect(rig.provider.find).toBeUndefined()
      expect(rig.provider.can.ordersAgain).toBe(true)
    },
  )

  test.each(['sglang', 'vllm-omni', 'fastvideo'] as const)(
    'F11: %s runs on one’s own machines: ordering again costs only time',
    async (flavour) => {
      rig = await openRig(flavour)
      expect(rig.provider.find).toBeUndefined()
      expect(rig.provider.can.ordersAgain).toBe(true)
    },
  )
})
