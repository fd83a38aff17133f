import type { Ctx } from '../../context'
import type { AspectRatio } from '../types'
import type { Leases } from './leases'

/** What the engine's steps get: the dependencies, the worker they run in, and when to stop. */
export type EngineCtx = Ctx & {
  actor: { kind: 'system'; job: string }
  /** The leases of the steps that run in this process. */
  leases: Leases
  /** Aborts when the worker is asked to stop. */
  signal: AbortSignal
  /** Waits; a test's clock moves instead. */
  sleep: (ms: number) => Promise<void>
}

/** A token as it is stored, encrypted. */
export type SealedCredential = {
  id: string
  kind: 'static-bearer' | 'service-account' | 'none'
  accountScope: string
  sealed: Buffer
}

/** An attempt under a lease. Every write names the lease, so a former holder writes nothing. */
export type HeldAttempt = {
  id: string
  leaseToken: string
  videoId: string
  generation: number
  /** Who ordered it and in which lane; the next attempt takes the same place. */
  userId: string
  lane: number
  batchId: string | null
  /** The request that ordered it. */
  requestId: string | null
  credentialId: string | null
  accountScope: string
  /** The token to order or to ask with; null where none is needed, or none is left. */
  credential: SealedCredential | null
  stepTries: number
  fetchTries: number
  failedAttempts: number
  /** Earlier attempts of which no answer came, and which were not taken. */
  lostAttempts: number
  sentAt: Date | null
  /** Milliseconds since `sentAt`, by the database's clock. */
  ageMs: number | null
  /** Milliseconds since the last moment at which a lost order can have been made. */
  lostMs: number | null
  /** The provider has said that it took the order. */
  isTaken: boolean
  overdue: boolean
  /** Already given up; a clip that arrives is delivered free. */
  late: boolean
  prompt: string
  negativePrompt: string | null
  aspectRatio: AspectRatio
  seed: number
  ref: unknown
  asset: unknown
}
