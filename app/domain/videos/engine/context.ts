import type { Ctx } from '../../context'
import type { Ordered } from './orders'
import type { Leases } from './leases'

/**
 * Context of the engine's steps: the dependencies, the leases of the worker process and its stop
 * signal.
 */
export type EngineCtx = Ctx & {
  actor: { kind: 'system'; job: string }
  /** The leases of the steps that run in this process. */
  leases: Leases
  /** Aborts when the worker is asked to stop. */
  signal: AbortSignal
  /** Waits for `ms` milliseconds. In tests it advances the test clock instead. */
  sleep: (ms: number) => Promise<void>
}

/** A token as stored, encrypted. */
export type SealedCredential = {
  id: string
  kind: 'static-bearer' | 'service-account' | 'none'
  accountScope: string
  sealed: Buffer
}

/**
 * An attempt under a lease. Every write is conditional on the lease, so writes of a process that
 * lost it have no effect.
 */
export type LeasedAttempt = Ordered & {
  id: string
  leaseToken: string
  videoId: string
  generation: number
  /** The user who ordered the video, and the lane. The next attempt gets the same user and lane. */
  userId: string
  lane: number
  batchId: string | null
  /** Id of the HTTP request that ordered the video. */
  requestId: string | null
  /** The picture with which the video begins: its file, and its hash. Null: none. */
  pictureKey: string | null
  pictureHash: string | null
  /** The picture with which it ends, in the same way. */
  endPictureKey: string | null
  endPictureHash: string | null
  credentialId: string | null
  /** The kind of the provider that has the order. */
  provider: string
  accountScope: string
  /** The account that pays for the order, and whose gate its fate closes or opens. */
  account: string
  /**
   * The token for ordering or polling. Null if the provider needs none or if no usable token is
   * left.
   */
  credential: SealedCredential | null
  /** How often in a row the running step was tried and met the same kind of fault. */
  stepTries: number
  /** The kind of the latest fault. It stays after the step has succeeded. */
  lastFault: string | null
  fetchTries: number
  /** Downloads for which the clip was gone or broken. */
  goneTries: number
  failedAttempts: number
  /**
   * Number of earlier attempts whose response was lost and whose order turned out not to be accepted.
   */
  lostAttempts: number
  sentAt: Date | null
  /** Milliseconds since `sentAt`, by the database's clock. */
  ageMs: number | null
  /** Milliseconds since the latest moment at which a lost order can have been placed. */
  lostMs: number | null
  /** Whether the provider reported that it accepted the order. */
  isAccepted: boolean
  overdue: boolean
  /**
   * Whether the attempt was already given up. A clip that still arrives is delivered free of
   * charge.
   */
  late: boolean
  ref: unknown
  asset: unknown
}
