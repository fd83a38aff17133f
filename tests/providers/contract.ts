import { afterEach, describe, expect, test } from 'vitest'
import { orderOf } from '../../app/domain/videos/engine/orders'
import type {
  AssetRef,
  ClipFile,
  Credential,
  FetchInto,
  FinishedOrder,
  OrderRef,
  PollResult,
  VideoRequest,
} from '../../app/platform/providers/port'
import type { SimulatedProvider } from '../simulator/simulator'
import { memoryClip, refusalOf, REQUEST, submitCall } from './rig'
import { drawPicture } from '../support/pictures'

/** What the contract needs to test an adapter. */
export type Stage = {
  provider: SimulatedProvider
  credential: () => Credential
  /** Moves the clock until an order is ready, and polls. */
  ready: (ref: OrderRef) => Promise<PollResult>
  /** What the provider received of an order. */
  received: (ref: OrderRef) => Promise<Pick<VideoRequest, 'prompt' | 'negativePrompt'>>
  /** The pictures of an order, as the provider received them. */
  pictures: (ref: OrderRef) => Promise<(Buffer | null)[]>
  /** The pictures with which they end, in the same way. */
  endPictures: (ref: OrderRef) => Promise<(Buffer | null)[]>
  /** Whether the protocol has a field for the negative prompt. If not, the prompt contains it. */
  hasNegativePrompt: boolean
  stop: () => Promise<void>
}

const signal = () => AbortSignal.timeout(30_000)
const order = (stage: Stage, attemptId: string, wish: Partial<VideoRequest> = {}) =>
  stage.provider.submit({ ...REQUEST, ...wish }, stage.credential(), submitCall(attemptId))

async function finished(stage: Stage, attemptId: string): Promise<FinishedOrder> {
  const ref = await order(stage, attemptId)
  const result = await stage.ready(ref)
  if (result.state !== 'succeeded') throw new Error(`not finished: ${JSON.stringify(result)}`)
  return { ref, asset: result.assets[0] }
}

const into = (file: ClipFile, more: Partial<FetchInto> = {}): FetchInto => ({
  file,
  maxBytes: 50_000_000,
  idleMs: 10_000,
  signal: signal(),
  ...more,
})

/** The promises of the provider port, for every provider. */
export function portContract(name: string, open: () => Promise<Stage>): void {
  describe(`${name}: the port`, () => {
    let stage: Stage
    afterEach(() => stage.stop())

    test('an order is stored as JSON, polled and fetched completely', async () => {
      stage = await open()
      const sent = await order(stage, 'att-port-1')
      // A worker can continue with what another one has stored.
      const ref = JSON.parse(JSON.stringify(sent)) as OrderRef
      expect(ref).toEqual(sent)
      const early = await stage.provider.poll(ref, stage.credential(), signal())
      expect(early).toMatchObject({ state: 'pending', pollAfterMs: expect.any(Number) as number })
      const result = await stage.ready(ref)
      if (result.state !== 'succeeded') throw new Error(JSON.stringify(result))
      const asset = JSON.parse(JSON.stringify(result.assets[0])) as AssetRef
      const file = memoryClip()
      const job = { ref, asset }
      const { bytes } = await stage.provider.fetch(job, stage.credential(), into(file))
      expect(file.content().length).toBe(bytes)
      expect(file.content().toString('latin1', 4, 8)).toBe('ftyp')
    })

    test('U-T2V-7: the negative prompt of a video is received, with the other aspect ratio and each available length', async () => {
      stage = await open()
      const { prompt } = REQUEST
      const video = { prompt, negativePrompt: 'rain', aspectRatio: 'landscape', seed: 7 } as const
      const expected = stage.hasNegativePrompt
        ? { prompt, negativePrompt: 'rain' }
        : { prompt: `${prompt}\nAvoid: rain`, negativePrompt: null }
      for (const durationSeconds of stage.provider.can.durations) {
        const sent = orderOf(video, stage.provider, durationSeconds)
        expect(sent).toMatchObject({ durationSeconds, aspectRatio: 'landscape' })
        const ref = await order(stage, `att-length-${durationSeconds}`, sent)
        expect(ref.accountScope).toBe(stage.credential().accountScope)
        expect(await stage.received(ref)).toEqual(expected)
      }
    })

    test('U-I2V-2: a picture is received once, byte by byte, and only where it was given', async () => {
      stage = await open()
      if (stage.provider.can.takesPictures !== true) return
      // A picture that can be drawn, and behind it bytes that a form could change.
      const picture = Buffer.concat([
        drawPicture(90, 160, 'jpeg'),
        Buffer.alloc(70_000, 0x0d),
        Buffer.from([0x0a, 0xff, 0xd9]),
      ])
      const ref = await order(stage, 'att-with-picture', { picture })
      expect(await stage.pictures(ref)).toEqual([picture])
      expect(await stage.received(ref)).toMatchObject({ prompt: REQUEST.prompt })
      const plain = await order(stage, 'att-without-picture')
      expect(await stage.pictures(plain)).toEqual([null])
    })

    test('issue 52.7: a picture for the end is received beside the first one, and only where it was given', async () => {
      stage = await open()
      if (stage.provider.can.takesEndPictures !== true) return
      const picture = drawPicture(90, 160, 'jpeg')
      const endPicture = drawPicture(160, 90, 'jpeg')
      const ref = await order(stage, 'att-with-both', { picture, endPicture })
      expect(await stage.pictures(ref)).toEqual([picture])
      expect(await stage.endPictures(ref)).toEqual([endPicture])
      const plain = await order(stage, 'att-with-first', { picture })
      expect(await stage.endPictures(plain)).toEqual([null])
    })

    test.each([
      ['a call that is aborted before it starts', { signal: AbortSignal.abort() }],
      ['Row f: an order that may no longer start', { mayStart: () => Promise.resolve(false) }],
    ])('%s is not sent', async (_name, options) => {
      stage = await open()
      const call = submitCall('att-port-2', options)
      const given = stage.provider.submit(REQUEST, stage.credential(), call)
      expect(await refusalOf(given)).toMatchObject({
        fault: { kind: 'transient' },
        acceptance: 'not-sent',
      })
    })

    test('an unknown order is gone for good, or ordered again where that costs nothing', async () => {
      stage = await open()
      const known = await order(stage, 'att-port-3')
      const tail = known.id.endsWith('0000') ? '1111' : '0000'
      const ref = { ...known, id: `${known.id.slice(0, -4)}${tail}`, data: {} }
      const asked = stage.provider.poll(ref, stage.credential(), signal())
      const own = ['local', 'comfyui', 'sglang', 'vllm-omni', 'fastvideo'].includes(name)
      // These keep orders in memory or on this machine, so the video is ordered again.
      if (own)
        return expect(await asked).toMatchObject({ state: 'failed', fault: { kind: 'transient' } })
      expect((await refusalOf(asked)).fault).toEqual({ kind: 'permanent', reason: 'job-gone' })
    })

    test('an oversized clip, an aborted call and an unknown asset are refused', async () => {
      stage = await open()
      const job = await finished(stage, 'att-port-1')
      const { provider } = stage
      const large = provider.fetch(job, stage.credential(), into(memoryClip(), { maxBytes: 500 }))
      expect(await refusalOf(large)).toMatchObject({
        fault: { kind: 'permanent', reason: 'broken-clip' },
        acceptance: 'accepted',
      })
      const aborted = into(memoryClip(), { signal: AbortSignal.abort() })
      expect(await refusalOf(provider.fetch(job, stage.credential(), aborted))).toMatchObject({
        fault: { kind: 'transient' },
        acceptance: 'accepted',
      })
      const asset = strangeAsset(job.asset)
      const strange = provider.fetch({ ...job, asset }, stage.credential(), into(memoryClip()))
      expect((await refusalOf(strange)).fault).toMatchObject({ kind: 'permanent' })
    })

    test("a file that fails throws its own error: a full disk is not the provider's fault", async () => {
      stage = await open()
      const job = await finished(stage, 'att-port-1')
      const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      const file = { ...memoryClip(), write: () => Promise.reject(full) }
      await expect(stage.provider.fetch(job, stage.credential(), into(file))).rejects.toBe(full)
    })

    test('a credential is validated by its form only, and checking it sends no order', async () => {
      stage = await open()
      const { provider } = stage
      if (!provider.can.needsCredential) return expect(provider.check).toBeUndefined()
      for (const bad of ['', 'two words', 'Bearer abcdefgh', 'gruß', 'x'.repeat(10_000)]) {
        expect(provider.scopeOf?.(bad), bad.slice(0, 20)).toMatchObject({ ok: false })
      }
      await provider.check?.(stage.credential(), signal())
    })
  })
}

const strangeAsset = ({ at }: AssetRef): AssetRef =>
  at === 'file' ? { at: 'gcs', bucket: 'b', object: 'o' } : { at: 'file', path: '/etc/passwd' }
