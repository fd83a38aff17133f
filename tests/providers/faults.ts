import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { walkBoxes } from '../../app/platform/media/boxes.server'
import type { Acceptance, Fault } from '../../app/platform/providers/port'
import { clipNote } from '../simulator/clip'
import type { Action } from '../simulator/scenario'
import { TASK_MODELS, type Flavour } from '../simulator/settings'
import { GENERATION_MS, memoryClip, openRig, refusalOf, REQUEST, submitCall, type Rig } from './rig'

let rig: Rig

const family = (flavour: Flavour) =>
  flavour === 'runway' ? 'runway' : flavour.startsWith('vertex') ? 'vertex' : 'openai'
/** Their errors are `{code, message}` or `{base_resp}`. */
const SAYING_MESSAGE: readonly string[] = ['kling', 'minimax', 'model-studio']
const isOwn = (flavour: Flavour) =>
  ['comfyui', 'sglang', 'vllm-omni', 'fastvideo'].includes(flavour)

type SubmitCase = [what: string, does: Action, fault: Fault, acceptance: Acceptance, taken: number]

const UNKNOWN: Fault = { kind: 'transient' }

/**
 * What happens to a submit, how it is classified, and how many orders the provider has afterwards.
 */
const SUBMITS: readonly SubmitCase[] = [
  ['401', { status: 401 }, { kind: 'unauthorized' }, 'rejected', 0],
  ['403', { status: 403 }, { kind: 'permanent', reason: 'forbidden' }, 'rejected', 0],
  ['500', { status: 500 }, UNKNOWN, 'unknown', 0],
  ['500 after acceptance', { status: 500, after: 'accept' }, UNKNOWN, 'unknown', 1],
  ['502 as a page', { status: 502, html: true, after: 'accept' }, UNKNOWN, 'unknown', 1],
  ['503 with the provider’s own message', { status: 503 }, UNKNOWN, 'rejected', 0],
  ['503 as a page', { status: 503, html: true, after: 'accept' }, UNKNOWN, 'unknown', 1],
  ['504', { status: 504, after: 'accept' }, UNKNOWN, 'unknown', 1],
  ['499', { status: 499, after: 'accept' }, UNKNOWN, 'unknown', 1],
  ['a connection lost before acceptance', { fault: 'drop-before-accept' }, UNKNOWN, 'unknown', 0],
  ['a connection lost after acceptance', { fault: 'drop-after-accept' }, UNKNOWN, 'unknown', 1],
  ['a reset', { fault: 'reset' }, UNKNOWN, 'unknown', 1],
  ['incomplete headers', { fault: 'half-headers' }, UNKNOWN, 'unknown', 1],
  ['half of the JSON', { fault: 'half-json' }, UNKNOWN, 'unknown', 1],
  ['an empty success', { fault: 'empty' }, UNKNOWN, 'unknown', 1],
  ['a page with 200', { fault: 'html' }, UNKNOWN, 'unknown', 1],
  ['ten megabytes of JSON', { fault: 'big-json' }, UNKNOWN, 'unknown', 1],
]

const GONE_MODELS = [
  'veo-3.1-generate-001',
  'sora-2',
  'veo3.1',
  'wan2.2_5b.safetensors',
  ...Object.values(TASK_MODELS),
]

/** No key is at fault, and the queue is long rather than strange. */
const COMFYUI: Readonly<Record<string, Fault>> = {
  'submit 401': { kind: 'permanent', reason: 'model-gone' },
  'submit 403': { kind: 'permanent', reason: 'model-gone' },
  'poll 401': UNKNOWN,
  'poll ten megabytes of JSON': UNKNOWN,
}
const expectedFault = (flavour: Flavour, what: string, usual: Fault): Fault =>
  (flavour === 'comfyui' ? COMFYUI[what] : undefined) ?? usual

type PollCase = [what: string, does: Action, fault: Fault]

const POLLS: readonly PollCase[] = [
  ['401', { status: 401 }, { kind: 'unauthorized' }],
  ['500', { status: 500 }, UNKNOWN],
  ['502 as a page', { status: 502, html: true }, UNKNOWN],
  ['503', { status: 503 }, UNKNOWN],
  ['a reset', { fault: 'reset' }, UNKNOWN],
  ['half of the JSON', { fault: 'half-json' }, UNKNOWN],
  ['an empty response', { fault: 'empty' }, UNKNOWN],
  ['a page with 200', { fault: 'html' }, UNKNOWN],
  ['ten megabytes of JSON', { fault: 'big-json' }, { kind: 'permanent', reason: 'protocol' }],
]

/** What happens when a provider refuses, fails or loses something, for one of them. */
export function providerFaults(flavour: Flavour): void {
  afterEach(() => rig.stop())

  const play = (op: 'submit' | 'poll' | 'content', ...actions: Action[]) =>
    rig.sim.play({
      defaults: { generationMs: GENERATION_MS, bytes: 300_000 },
      rules: actions.map((action) => ({ when: { op }, times: 1, do: action })),
    })
  /** The fields that identify a fault. Retry-After times are tested elsewhere. */
  const faultOf = ({ fault }: { fault: Fault }) => {
    const { kind } = fault
    return kind === 'permanent' ? { kind, reason: fault.reason } : { kind }
  }

  test('F11: the result of a submit determines fault and acceptance', async () => {
    rig = await openRig(flavour)
    for (const [what, does, fault, usual, taken] of SUBMITS) {
      play('submit', does)
      const before = rig.sim.accepted().length
      const refused = await refusalOf(rig.submit())
      const read = { fault: faultOf(refused), acceptance: refused.acceptance }
      // Without `error` or `detail` it may be a proxy's.
      const isUnsure = what.startsWith('503 with') && SAYING_MESSAGE.includes(flavour)
      const acceptance = isUnsure ? 'unknown' : usual
      const expected = expectedFault(flavour, `submit ${what}`, fault)
      expect({ what, ...read }).toEqual({ what, fault: expected, acceptance })
      expect(rig.sim.accepted().length - before, what).toBe(taken)
    }
  })

  test('F12: a submit without a response may have been accepted', async () => {
    rig = await openRig(flavour)
    play('submit', { fault: 'hang' })
    const call = submitCall('att-1', { signal: AbortSignal.timeout(300) })
    const lost = rig.provider.submit(REQUEST, rig.credential(), call)
    expect(await refusalOf(lost)).toMatchObject({ fault: UNKNOWN, acceptance: 'unknown' })
    expect(rig.sim.accepted()).toHaveLength(1)
  })

  test('F11: no order is sent to a closed port', async () => {
    rig = await openRig(flavour)
    await rig.sim.down()
    expect(await refusalOf(rig.submit())).toMatchObject({
      fault: UNKNOWN,
      acceptance: 'not-sent',
    })
    await rig.sim.up()
    await rig.submit()
  })

  test('a submit never uses a connection that the server is closing', async () => {
    rig = await openRig(flavour, { scenario: { staleKeepAlive: true } })
    await rig.provider.check?.(rig.credential(), AbortSignal.timeout(10_000)).catch(() => null)
    for (let n = 0; n < 4; n += 1) await rig.submit({}, `att-${n}`)
    expect(rig.sim.accepted()).toHaveLength(4)
  })

  test('F10: 429 with the time to wait in each of its formats', async () => {
    rig = await openRig(flavour)
    const cases: [Action, number | undefined][] = [
      [{ status: 429 }, undefined],
      [{ status: 429, retryAfter: 7 }, 7_000],
      [{ status: 429, retryAfter: 'date' }, 7_000],
    ]
    for (const [does, retryAfterMs] of cases) {
      play('submit', does)
      const refused = await refusalOf(rig.submit())
      expect(refused).toMatchObject({ fault: { kind: 'rate-limited' }, acceptance: 'rejected' })
      const { fault } = refused
      expect('retryAfterMs' in fault ? fault.retryAfterMs : undefined).toBe(retryAfterMs)
    }
    expect(rig.sim.accepted()).toHaveLength(0)
  })

  test('the provider’s quota of an account refuses without accepting', async () => {
    rig = await openRig(flavour, { scenario: { quota: { submitsPerMinute: 2 } } })
    await rig.submit({}, 'att-1')
    await rig.submit({}, 'att-2')
    expect(await refusalOf(rig.submit({}, 'att-3'))).toMatchObject({
      fault: { kind: 'rate-limited', scope: 'account' },
      acceptance: 'rejected',
    })
    expect(rig.sim.accepted()).toHaveLength(2)
  })

  test('a model that no longer exists is the operator’s problem', async () => {
    rig = await openRig(flavour, {
      scenario: { goneModels: [...GONE_MODELS], servedModel: 'other' },
      env: flavour === 'vllm-omni' ? { VIDEO_PROVIDER_MODEL: 'sora-2' } : {},
    })
    expect(await refusalOf(rig.submit())).toMatchObject({
      fault: { kind: 'permanent', reason: 'model-gone' },
      acceptance: 'rejected',
    })
  })

  test('F11: a failed poll is a fault of the poll, never of the order', async () => {
    rig = await openRig(flavour)
    const ref = await rig.submit()
    for (const [what, does, fault] of POLLS) {
      play('poll', does)
      const refused = await refusalOf(rig.poll(ref))
      const read = { fault: faultOf(refused), acceptance: refused.acceptance }
      const expected = expectedFault(flavour, `poll ${what}`, fault)
      expect({ what, ...read }).toEqual({ what, fault: expected, acceptance: 'accepted' })
    }
    rig.wait(GENERATION_MS)
    expect(await rig.poll(ref)).toMatchObject({ state: 'succeeded' })
  })

  test('F14: refused content is a policy failure, not a finished clip', async () => {
    rig = await openRig(flavour)
    play('submit', { outcome: 'filtered' }, { outcome: 'audio-filtered' })
    for (const attemptId of ['att-1', 'att-2']) {
      const ref = await rig.submit({}, attemptId)
      rig.wait(GENERATION_MS)
      const result = await rig.poll(ref)
      expect(result).toMatchObject({ state: 'failed', fault: { kind: 'content-blocked' } })
    }
  })

  test('F14: a prompt refused on submission is refused for good and was not accepted', async () => {
    rig = await openRig(flavour)
    const words = {
      message: 'The prompt violates our usage guidelines: safety filters refused it.',
    }
    play('submit', { status: 400, code: 'moderation_blocked', ...words })
    if (family(flavour) === 'vertex') play('submit', { status: 400, ...words })
    expect(await refusalOf(rig.submit())).toMatchObject({
      fault: { kind: 'content-blocked', stage: 'prompt' },
      acceptance: 'rejected',
    })
    play('submit', { status: 400, message: 'seed is out of range' })
    expect(await refusalOf(rig.submit())).toMatchObject({
      fault: { kind: 'invalid-request' },
      acceptance: 'rejected',
    })
  })

  test('F13: orders that fail, never end or report odd progress are distinguished', async () => {
    rig = await openRig(flavour)
    play('submit', { outcome: 'failed' }, { outcome: 'never' }, { outcome: 'backwards' })
    const [failed, never, backwards] = [
      await rig.submit({}, 'att-1'),
      await rig.submit({}, 'att-2'),
      await rig.submit({}, 'att-3'),
    ]
    rig.wait(GENERATION_MS / 2)
    const half = await rig.poll(backwards)
    expect(half).toMatchObject({ state: 'pending' })
    if (half.state === 'pending' && half.progress !== undefined) {
      expect(half.progress).toBeGreaterThanOrEqual(0)
      expect(half.progress).toBeLessThanOrEqual(1)
    }
    rig.wait(GENERATION_MS)
    expect(await rig.poll(failed)).toMatchObject({
      state: 'failed',
      fault: { kind: 'transient' },
    })
    rig.wait(86_400_000)
    expect(await rig.poll(never)).toMatchObject({ state: 'pending' })
    expect(await rig.poll(backwards)).toMatchObject({ state: 'succeeded' })
  })

  test('an unknown state counts as running until the result is known', async () => {
    rig = await openRig(flavour)
    play('submit', { outcome: 'strange-word' })
    const ref = await rig.submit()
    expect(await rig.poll(ref)).toMatchObject({ state: 'pending' })
    rig.wait(GENERATION_MS)
    expect(await rig.poll(ref)).toMatchObject({ state: 'succeeded' })
  })

  test('an order that the provider forgot', async () => {
    rig = await openRig(flavour)
    play('submit', { outcome: 'forgotten' })
    const ref = await rig.submit()
    rig.wait(GENERATION_MS)
    // Its clip is in the bucket nevertheless.
    if (flavour === 'vertex-veo') {
      const result = await rig.poll(ref)
      expect(result).toMatchObject({ state: 'succeeded', assets: [{ at: 'gcs' }] })
      return
    }
    // On one's own machine ordering again costs only time.
    if (isOwn(flavour)) {
      const result = await rig.poll(ref)
      return expect(result).toMatchObject({ state: 'failed', fault: UNKNOWN })
    }
    expect((await refusalOf(rig.poll(ref))).fault).toEqual({
      kind: 'permanent',
      reason: 'job-gone',
    })
  })

  test('no order is polled with the token of another account', async () => {
    rig = await openRig(flavour)
    const ref = await rig.submit()
    const asked = rig.sim.journal().length
    const foreign = { ...rig.credential(), accountScope: 'another account' }
    const call = rig.provider.poll(ref, foreign, AbortSignal.timeout(10_000))
    expect((await refusalOf(call)).fault).toEqual({ kind: 'unauthorized' })
    expect(rig.sim.journal().length).toBe(asked)
    expect(rig.sim.stats().crossAccountPolls).toBe(0)
  })

  test('no clip is fetched with the token of another account', async () => {
    rig = await openRig(flavour)
    const job = await rig.finished()
    const asked = rig.sim.journal().length
    const foreign = { ...rig.credential(), accountScope: 'another account' }
    const limits = { maxBytes: 1_000_000, idleMs: 10_000, signal: AbortSignal.timeout(10_000) }
    const call = rig.provider.fetch(job, foreign, { file: memoryClip(), ...limits })
    expect((await refusalOf(call)).fault).toEqual({ kind: 'unauthorized' })
    expect(rig.sim.journal().length).toBe(asked)
  })

  test('F15: a broken download is resumed, or reported as broken', async () => {
    rig = await openRig(flavour, { scenario: { defaults: { bytes: 300_000 } } })
    const job = await rig.finished()
    play('content', { fault: 'truncate', atByte: 100_000, how: 'cut' })
    const clip = await rig.fetch(job.ref, job.asset)
    expect(clip.length).toBe(300_000)
    expect(clipNote(clip)).toContain(job.ref.id.split('/').at(-1))
    const ranges = rig.sim.journal().filter(({ op }) => op === 'content')
    expect(ranges.length).toBeGreaterThanOrEqual(2)
  })

  test('F15: bytes that are no clip are never accepted as one', async () => {
    rig = await openRig(flavour, { scenario: { defaults: { bytes: 300_000 } } })
    const { ref, asset } = await rig.finished()
    const always = (action: Action) =>
      rig.sim.play({ rules: [{ when: { op: 'content' }, do: action }] })
    const cases: [Action, Fault][] = [
      [{ fault: 'no-bytes' }, UNKNOWN],
      [{ fault: 'json' }, { kind: 'permanent', reason: 'protocol' }],
      // An HTML page comes from a proxy, and may be gone at the next try.
      [{ fault: 'html' }, UNKNOWN],
      [{ status: 500 }, UNKNOWN],
    ]
    for (const [does, fault] of cases) {
      always(does)
      const refused = await refusalOf(rig.fetch(ref, asset))
      expect({ does, fault: faultOf(refused) }).toEqual({ does, fault })
      expect(refused.acceptance).toBe('accepted')
    }
    always({ fault: 'oversize', bytes: 1_000_000 })
    const large = rig.fetch(ref, asset, { maxBytes: 400_000 })
    expect((await refusalOf(large)).fault).toEqual({ kind: 'permanent', reason: 'broken-clip' })
    always({ fault: 'stall', atByte: 50_000 })
    const stalled = await refusalOf(rig.fetch(ref, asset, { idleMs: 200 }))
    expect(stalled.fault).toEqual(UNKNOWN)
    expect(stalled.message).toContain('stood still')
  })

  test('F15: a clip that ends early without an error is detected as incomplete', async () => {
    rig = await openRig(flavour, { scenario: { defaults: { bytes: 300_000 } } })
    const { ref, asset } = await rig.finished()
    const short: Action = { fault: 'truncate', atByte: 50_000, how: 'clean-end' }
    rig.sim.play({ rules: [{ when: { op: 'content' }, do: short }] })
    // Cloud Storage sends a digest. For the others the inspection of the file detects it.
    if (flavour === 'vertex-veo') {
      expect((await refusalOf(rig.fetch(ref, asset))).fault).toEqual(UNKNOWN)
      return
    }
    const clip = await rig.fetch(ref, asset)
    expect(clip.length).toBe(50_000)
    expect(await wholeness(clip)).toBe(false)
  })

  test('a server that ignores ranges makes the download restart', async () => {
    rig = await openRig(flavour, { scenario: { defaults: { bytes: 300_000 } } })
    const { ref, asset } = await rig.finished()
    play('content', { fault: 'truncate', atByte: 100_000 }, { fault: 'ignore-range' })
    const file = memoryClip()
    expect((await rig.fetch(ref, asset, { file })).length).toBe(300_000)
    expect(file.written()).toBe(400_000)
  })

  test('Row e: an expired address is reported as such, and the next poll returns a valid one', async () => {
    rig = await openRig(flavour, { scenario: { defaults: { bytes: 300_000 } } })
    const { ref, asset } = await rig.finished()
    play('content', { fault: 'expired-url' })
    expect((await refusalOf(rig.fetch(ref, asset))).fault).toEqual({
      kind: 'permanent',
      reason: 'asset-gone',
    })
    const result = await rig.poll(ref)
    if (result.state !== 'succeeded') throw new Error(JSON.stringify(result))
    expect((await rig.fetch(ref, result.assets[0])).length).toBe(300_000)
  })
}

async function wholeness(clip: Buffer): Promise<boolean> {
  const file = path.join(os.tmpdir(), `reelmill-clip-${process.pid}.mp4`)
  await fs.writeFile(file, clip)
  const { ok } = await walkBoxes(file)
  await fs.rm(file)
  return ok
}
