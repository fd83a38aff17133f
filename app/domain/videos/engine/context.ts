import type { Ctx } from '../../context'
import type { AspectRatio } from '../types'

/** What the engine's steps get: the world, the worker they run in, and when to stop. */
export type EngineCtx = Ctx & {
  actor: { kind: 'system'; job: string }
  /** The lease under which this worker claims work (WorkerLease.poolId). */
  poolId: string
  /** Aborts when the worker has to let go of its work. */
  signal: AbortSignal
  /** Waits; a test's clock moves instead. */
  sleep: (ms: number) => Promise<void>
}

/** An attempt that this worker holds: every write names the lease, so a stale owner writes nothing. */
export type HeldAttempt = {
  id: string
  leaseToken: string
  videoId: string
  generation: number
  /** Who ordered it and in which lane; the next attempt takes the same place. */
  userId: string
  lane: number
  batchId: string | null
  credentialId: string | null
  accountScope: string
  stepTries: number
  failedAttempts: number
  sentAt: Date | null
  /** Milliseconds since `sentAt`, by the database's clock. */
  ageMs: number | null
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
