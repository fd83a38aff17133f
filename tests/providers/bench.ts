import {
  ProviderError,
  Secret,
  type AssetRef,
  type ClipFile,
  type Credential,
  type FinishedJob,
  type JobRef,
  type LostOrder,
  type PollResult,
  type SubmitCall,
  type VideoProvider,
  type VideoRequest,
} from '../../app/platform/providers/port'
import { virtualClock } from '../simulator/clock'
import type { ScenarioInput } from '../simulator/scenario'
import type { Flavour } from '../simulator/settings'
import { startSimulator, type SimulatedProvider, type Simulator } from '../simulator/simulator'

/** One adapter before its simulated provider, on a clock that stands still. */
export type Bench = {
  sim: Simulator
  provider: SimulatedProvider
  credential: (secret?: string) => Credential
  submit: (wish?: Partial<VideoRequest>, attemptId?: string) => Promise<JobRef>
  poll: (ref: JobRef, secret?: string) => Promise<PollResult>
  fetch: (ref: JobRef, asset: AssetRef, options?: FetchOptions) => Promise<Buffer>
  find: (
    prompt: string,
    attemptId: string,
    /** `lostMs` is the same unless it is named. */
    time?: { ageMs?: number; lostMs?: number },
    wish?: Partial<VideoRequest>,
    more?: Pick<LostOrder, 'isTaken'>,
  ) => ReturnType<NonNullable<VideoProvider['find']>>
  /** An order that is ready, and where its clip lies. */
  finished: (wish?: Partial<VideoRequest>, attemptId?: string) => Promise<FinishedJob>
  /** Minutes pass. */
  wait: (ms: number) => void
  stop: () => Promise<void>
}

type FetchOptions = {
  maxBytes?: number
  idleMs?: number
  secret?: string
  signal?: AbortSignal
  /** Where it goes, for clips that come in several calls. */
  file?: MemoryClip
}
type BenchOptions = { scenario?: ScenarioInput; env?: Record<string, string> }

export const GENERATION_MS = 90_000
const LATER = () => AbortSignal.timeout(20_000)

export const REQUEST: VideoRequest = {
  prompt: 'A paper boat drifts down a rainy street at dusk',
  negativePrompt: null,
  aspectRatio: 'portrait',
  durationSeconds: 4,
  seed: 7,
}

export async function openBench(flavour: Flavour, options: BenchOptions = {}): Promise<Bench> {
  const { scenario = {}, env = {} } = options
  const clock = virtualClock(Date.UTC(2026, 10, 21, 12))
  const defaults = { generationMs: GENERATION_MS, ...scenario.defaults }
  const sim = await startSimulator({ clock, scenario: { ...scenario, defaults } })
  // Waits between two tries of a download are real time.
  const provider = sim.provider(flavour, { VIDEO_PROVIDER_TIME_SCALE: '0.001', ...env })
  const credential = (secret?: string) => credentialOf(provider, secret)
  const bench: Bench = {
    sim,
    provider,
    credential,
    submit: (wish = {}, attemptId = 'att-1') =>
      provider.submit({ ...REQUEST, ...wish }, credential(), submitCall(attemptId)),
    poll: (ref, secret) => provider.poll(ref, credential(secret), LATER()),
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
      const isTaken = async () => false
      const { accountScope } = credential()
      return provider.find(
        { attemptId, sentAt, ageMs, lostMs, request, accountScope, isTaken, ...more },
        credential(),
        LATER(),
      )
    },
    finished: async (wish, attemptId) => {
      const ref = await bench.submit(wish, attemptId)
      sim.advance(GENERATION_MS)
      const result = await bench.poll(ref)
      if (result.state !== 'succeeded') throw new Error(`not finished: ${JSON.stringify(result)}`)
      return { ref, asset: result.assets[0] }
    },
    wait: (ms) => sim.advance(ms),
    stop: async () => {
      await provider.stop()
      await sim.stop()
    },
  }
  return bench
}

export function credentialOf(provider: VideoProvider, secret = 'sim-default-token'): Credential {
  const scope = provider.scopeOf?.(secret)
  if (!scope?.ok) throw new Error(scope?.problem ?? 'no scope')
  const { accountScope, kind } = scope
  return { id: 'credential-1', accountScope, kind, secret: new Secret(secret) }
}

/** An order that may start, unless told otherwise. */
export const submitCall = (attemptId: string, more: Partial<SubmitCall> = {}): SubmitCall => ({
  ...{ attemptId, signal: LATER(), mayStart: () => true, lane: 0 },
  ...more,
})

export type MemoryClip = ClipFile & {
  content: () => Buffer
  /** Bytes written so far, those of given-up beginnings included. */
  written: () => number
}

/** A clip's file that is held in memory; `bytes` and `version` of an earlier call may be given. */
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

/** What a call was refused with; fails when it was not refused, or by something else. */
export async function refusalOf(call: Promise<unknown>): Promise<ProviderError> {
  try {
    await call
  } catch (error) {
    if (error instanceof ProviderError) return error
    throw error
  }
  throw new Error('it was not refused')
}
