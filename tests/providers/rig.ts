import {
  ProviderError,
  type AssetRef,
  type ClipFile,
  type Credential,
  type FinishedOrder,
  type OrderRef,
  type LostOrder,
  type PollResult,
  type SubmitCall,
  type VideoProvider,
  type VideoRequest,
} from '../../app/platform/providers/port'
import { NO_TEXTS } from '../../app/domain/videos/order-fields'
import { Secret } from '../../app/platform/secrets/secret'
import { virtualClock } from '../simulator/clock'
import type { ScenarioInput } from '../simulator/scenario'
import type { Flavour } from '../simulator/settings'
import { startSimulator, type SimulatedProvider, type Simulator } from '../simulator/simulator'

/** An adapter with its simulated provider, on a clock that moves only by `wait`. */
export type Rig = {
  sim: Simulator
  provider: SimulatedProvider
  credential: (secret?: string) => Credential
  submit: (wish?: Partial<VideoRequest>, attemptId?: string) => Promise<OrderRef>
  poll: (ref: OrderRef, secret?: string) => Promise<PollResult>
  /** Null if the adapter withdraws nothing. */
  withdraw: (ref: OrderRef) => Promise<boolean | null>
  fetch: (ref: OrderRef, asset: AssetRef, options?: FetchOptions) => Promise<Buffer>
  find: (
    prompt: string,
    attemptId: string,
    /** `lostMs` defaults to `ageMs`. */
    time?: { ageMs?: number; lostMs?: number },
    wish?: Partial<VideoRequest>,
    more?: Pick<LostOrder, 'belongsToAnother'>,
  ) => ReturnType<NonNullable<VideoProvider['find']>>
  /** Returns a finished order, and the address of its clip. */
  finished: (wish?: Partial<VideoRequest>, attemptId?: string) => Promise<FinishedOrder>
  /** Moves the clock. */
  wait: (ms: number) => void
  stop: () => Promise<void>
}

type FetchOptions = {
  maxBytes?: number
  idleMs?: number
  secret?: string
  signal?: AbortSignal
  /** The file to write to, for clips that take several calls. */
  file?: MemoryClip
}
type RigOptions = { scenario?: ScenarioInput; env?: Record<string, string> }

export const GENERATION_MS = 90_000
const LATER = () => AbortSignal.timeout(20_000)

export const REQUEST: VideoRequest = {
  prompt: 'A paper boat drifts down a rainy street at dusk',
  ...NO_TEXTS,
  aspectRatio: 'portrait',
  durationSeconds: 4,
  seed: 7,
}

export async function openRig(flavour: Flavour, options: RigOptions = {}): Promise<Rig> {
  const { scenario = {}, env = {} } = options
  const clock = virtualClock(Date.UTC(2026, 10, 21, 12))
  const defaults = { generationMs: GENERATION_MS, ...scenario.defaults }
  const sim = await startSimulator({ clock, scenario: { ...scenario, defaults } })
  // Pauses between two tries of a download take real time.
  const provider = sim.provider(flavour, { VIDEO_PROVIDER_TIME_SCALE: '0.001', ...env })
  const credential = (secret?: string) => credentialOf(provider, secret)
  const rig: Rig = {
    sim,
    provider,
    credential,
    submit: (wish = {}, attemptId = 'att-1') =>
      provider.submit({ ...REQUEST, ...wish }, credential(), submitCall(attemptId)),
    poll: (ref, secret) => provider.poll(ref, credential(secret), LATER()),
    withdraw: async (ref) => (await provider.withdraw?.(ref, credential(), LATER())) ?? null,
    fetch: async (ref, asset, { secret, file = memoryClip(), ...options } = {}) => {
      const limits = { maxBytes: 50_000_000, idleMs: 10_000, signal: LATER() }
      await provider.fetch({ ref, asset }, credential(secret), { file, ...limits, ...options })
      return file.content()
    },
    find: async (
      prompt,
      attemptId,
      { ageMs = 60_000, lostMs = ageMs } = {},
      wish = {},
      more = {},
    ) => {
      if (!provider.find) throw new Error('this adapter cannot look')
      const sentAt = new Date(sim.now() - ageMs)
      const request = { ...REQUEST, ...wish, prompt }
      const belongsToAnother = async () => false
      const { accountScope } = credential()
      return provider.find(
        { attemptId, sentAt, ageMs, lostMs, request, accountScope, belongsToAnother, ...more },
        credential(),
        LATER(),
      )
    },
    finished: async (wish, attemptId) => {
      const ref = await rig.submit(wish, attemptId)
      sim.advance(GENERATION_MS)
      const result = await rig.poll(ref)
      if (result.state !== 'succeeded') throw new Error(`not finished: ${JSON.stringify(result)}`)
      return { ref, asset: result.assets[0] }
    },
    wait: (ms) => sim.advance(ms),
    stop: async () => {
      await provider.stop()
      await sim.stop()
    },
  }
  return rig
}

export function credentialOf(provider: VideoProvider, secret = 'sim-default-token'): Credential {
  if (!provider.can.needsCredential) {
    const accountScope = provider.kind
    return { id: 'none', accountScope, kind: 'none', secret: new Secret('') }
  }
  const scope = provider.scopeOf?.(secret)
  if (!scope?.ok) throw new Error(scope?.problem ?? 'no scope')
  const { accountScope, kind } = scope
  return { id: 'credential-1', accountScope, kind, secret: new Secret(secret) }
}

/** Returns the parameters of an order that may start, unless overridden. */
export const submitCall = (attemptId: string, more: Partial<SubmitCall> = {}): SubmitCall => ({
  attemptId,
  signal: LATER(),
  mayStart: () => Promise.resolve(true),
  lane: 0,
  ...more,
})

export type MemoryClip = ClipFile & {
  content: () => Buffer
  /** Returns the number of bytes written so far, including those before a restart. */
  written: () => number
}

/** Returns a clip's file in memory, optionally with the content and version of an earlier call. */
export function memoryClip(
  content: Buffer = Buffer.alloc(0),
  named: string | null = null,
): MemoryClip {
  let chunks: Uint8Array[] = [content]
  let version = named
  let bytes = content.length
  let written = 0
  return {
    bytes: () => bytes,
    version: () => version,
    async write(chunk) {
      chunks.push(Buffer.from(chunk))
      bytes += chunk.length
      written += chunk.length
    },
    async restart(next) {
      chunks = []
      bytes = 0
      version = next
    },
    content: () => Buffer.concat(chunks),
    written: () => written,
  }
}

/** Returns the ProviderError of a call. Fails if the call succeeds or throws another error. */
export async function refusalOf(call: Promise<unknown>): Promise<ProviderError> {
  try {
    await call
  } catch (error) {
    if (error instanceof ProviderError) return error
    throw error
  }
  throw new Error('it was not refused')
}
