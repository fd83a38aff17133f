import { Writable } from 'node:stream'
import {
  ProviderError,
  Secret,
  type AssetRef,
  type Credential,
  type FinishedJob,
  type JobRef,
  type PollResult,
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
    ageMs?: number,
  ) => ReturnType<NonNullable<VideoProvider['find']>>
  /** An order that is ready, and where its clip lies. */
  finished: (wish?: Partial<VideoRequest>, attemptId?: string) => Promise<FinishedJob>
  /** Minutes pass. */
  wait: (ms: number) => void
  stop: () => Promise<void>
}

type FetchOptions = { maxBytes?: number; idleMs?: number; secret?: string; signal?: AbortSignal }
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
  const credential = (secret = 'sim-default-token'): Credential => {
    const scope = provider.scopeOf?.(secret)
    if (!scope?.ok) throw new Error(scope?.problem ?? 'no scope')
    const { accountScope, kind } = scope
    return { id: 'credential-1', accountScope, kind, secret: new Secret(secret) }
  }
  const bench: Bench = {
    sim,
    provider,
    credential,
    submit: (wish = {}, attemptId = 'att-1') =>
      provider.submit({ ...REQUEST, ...wish }, credential(), { attemptId, signal: LATER() }),
    poll: (ref, secret) => provider.poll(ref, credential(secret), LATER()),
    fetch: async (ref, asset, { maxBytes = 50_000_000, idleMs = 10_000, secret, signal } = {}) => {
      const { sink, bytes } = collector()
      const into = { sink, maxBytes, idleMs, signal: signal ?? LATER() }
      await provider.fetch({ ref, asset }, credential(secret), into)
      return bytes()
    },
    find: async (prompt, attemptId, ageMs = 60_000) => {
      if (!provider.find) throw new Error('this adapter cannot look')
      const sentAt = new Date(sim.now() - ageMs)
      const request = { ...REQUEST, prompt }
      const isTaken = async () => false
      const { accountScope } = credential()
      return provider.find(
        { attemptId, sentAt, ageMs, request, accountScope, isTaken },
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

export function collector(): { sink: Writable; bytes: () => Buffer } {
  const chunks: Buffer[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { sink, bytes: () => Buffer.concat(chunks) }
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
