import { afterEach, describe, expect, test } from 'vitest'
import { GENERATION_MS, openRig, refusalOf, REQUEST, submitCall, type Rig } from './rig'

let rig: Rig
afterEach(() => rig.stop())

describe('service-account keys', () => {
  async function openWithKey(project = 'sim-project') {
    rig = await openRig('vertex-veo')
    const key = rig.sim.serviceAccountKey(project)
    const credential = rig.credential(key)
    const submit = (attemptId: string) =>
      rig.provider.submit(REQUEST, credential, submitCall(attemptId))
    const mintings = () => rig.sim.journal().filter(({ op }) => op === 'token').length
    return { key, credential, submit, mintings }
  }

  test('a key issues one token, however many orders need it at once', async () => {
    const { credential, submit, mintings } = await openWithKey()
    expect(credential).toMatchObject({
      kind: 'service-account',
      accountScope: 'vertex:sim-project:us-central1',
    })
    await Promise.all(Array.from({ length: 10 }, (_, n) => submit(`att-${n}`)))
    expect(mintings()).toBe(1)
    expect(rig.sim.accepted()).toHaveLength(10)
  })

  test('a key belongs to the project in which it was created, whatever the settings', async () => {
    const { credential, submit } = await openWithKey('other-project')
    expect(credential.accountScope).toBe('vertex:other-project:us-central1')
    const ref = await submit('att-1')
    expect(ref.id).toContain('projects/other-project/')
    expect(rig.sim.accepted({ account: 'other-project' })).toHaveLength(1)
  })

  test('a token is replaced before it expires, and at once if it was withdrawn', async () => {
    const { submit, mintings } = await openWithKey()
    await submit('att-1')
    rig.wait(54 * 60_000)
    await submit('att-2')
    expect(mintings()).toBe(1)
    rig.wait(2 * 60_000)
    await submit('att-3')
    expect(mintings()).toBe(2)
    rig.sim.withdrawMinted()
    await submit('att-4')
    expect(mintings()).toBe(3)
    expect(rig.sim.accepted()).toHaveLength(4)
  })

  test('a key that Google refuses is dead; an unavailable token service proves nothing', async () => {
    const { submit } = await openWithKey()
    const play = (status: number, message?: string) =>
      rig.sim.play({
        rules: [{ when: { op: 'token' }, do: { status, ...(message ? { message } : {}) } }],
      })
    play(503)
    expect(await refusalOf(submit('att-1'))).toMatchObject({
      fault: { kind: 'transient' },
      acceptance: 'not-sent',
    })
    // Signed by another account's key.
    await rig.stop()
    rig = await openRig('vertex-veo')
    const stranger = await openRig('vertex-veo')
    const foreign = rig.credential(stranger.sim.serviceAccountKey())
    await stranger.stop()
    const call = rig.provider.submit(REQUEST, foreign, submitCall('a'))
    expect(await refusalOf(call)).toMatchObject({
      fault: { kind: 'unauthorized' },
      acceptance: 'not-sent',
    })
    expect(rig.sim.accepted()).toHaveLength(0)
  })

  test('an unusable key is refused by its form, and an API key by name', async () => {
    const { key } = await openWithKey()
    const broken = key.replace(/PRIVATE KEY/g, 'PUBLIC KEY')
    for (const text of ['{}', '{"type":"service_account"}', broken]) {
      expect(rig.provider.scopeOf?.(text)).toMatchObject({ ok: false })
    }
    expect(rig.provider.scopeOf?.('AIzaSyA-0123456789')).toEqual({
      ok: false,
      problem: 'Vertex AI takes no API keys: paste an access token or a service-account key.',
    })
  })
})

test('an order has the format of Google’s reference', async () => {
  rig = await openRig('vertex-veo', {
    env: { VERTEX_PERSON_GENERATION: 'allow_adult', VERTEX_QUOTA_PROJECT: 'billing' },
  })
  await rig.submit({ negativePrompt: 'text, watermark', durationSeconds: 8 }, 'att-wire')
  expect(rig.sim.orders()[0]).toMatchObject({
    width: 720,
    height: 1280,
    seconds: 8,
    model: 'veo-3.1-generate-001',
    folder: { bucket: 'sim-bucket', prefix: 'veo/att-wire/' },
    attemptId: 'att-wire',
  })
})

test('the error code of a job determines its fault', async () => {
  rig = await openRig('vertex-veo')
  const cases = [
    [8, undefined, { kind: 'transient' }],
    [13, undefined, { kind: 'transient' }],
    [3, undefined, { kind: 'invalid-request' }],
    [3, 'It violates our usage guidelines. Support codes: 29310472', { kind: 'content-blocked' }],
    [7, undefined, { kind: 'permanent', reason: 'forbidden' }],
    [16, undefined, { kind: 'unauthorized' }],
  ] as const
  for (const [code, message, fault] of cases) {
    const does = { outcome: 'op-error' as const, code, ...(message ? { message } : {}) }
    rig.sim.play({
      defaults: { generationMs: GENERATION_MS },
      rules: [{ when: { op: 'submit' }, do: does }],
    })
    const ref = await rig.submit({}, `att-${code}`)
    rig.wait(GENERATION_MS)
    expect(await rig.poll(ref)).toMatchObject({ state: 'failed', fault })
  }
})

test('a refusal names the category of its support code', async () => {
  rig = await openRig('vertex-veo', {
    scenario: { rules: [{ do: { outcome: 'filtered', supportCode: '29310472' } }] },
  })
  const ref = await rig.submit()
  rig.wait(GENERATION_MS)
  expect(await rig.poll(ref)).toMatchObject({
    fault: { kind: 'content-blocked', stage: 'output', codes: ['29310472'] },
    evidence: { message: expect.stringContaining('celebrity') as string },
  })
})

test('for a finished operation without a clip the folder is searched', async () => {
  rig = await openRig('vertex-veo', { scenario: { rules: [{ do: { outcome: 'empty' } }] } })
  const ref = await rig.submit()
  rig.wait(GENERATION_MS)
  expect(await rig.poll(ref)).toMatchObject({
    state: 'failed',
    fault: { kind: 'transient' },
  })
  expect(rig.sim.journal().some(({ op }) => op === 'list')).toBe(true)
})
