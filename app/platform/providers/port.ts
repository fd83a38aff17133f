/**
 * The provider port: everything that the engine requires of a video provider.
 *
 * Two terms matter most. A *fault* says what went wrong. *Acceptance* says whether the provider may
 * have accepted a paid order. "500 on submit" and "500 on poll" are the same fault with opposite
 * risks, so the engine decides by the pair and never by the provider's name.
 */

import type { Secret } from '../secrets/secret'

export type VideoProvider = {
  /** Its orders and tokens are stored with it: the adapter's name, or the operator's for one of several. */
  readonly kind: string
  /** The adapter's name, if `kind` is the operator's. As the only provider it stored its orders with it. */
  readonly adapter?: string
  /**
   * The account scope of all its orders and tokens, where its settings name it: the service and its host.
   * An order or token of another scope is of another service, also if `kind` is the same. Absent: each
   * token names its own scope, or none is needed.
   */
  readonly scope?: string
  /** The model id, shown on the video and sent with each order. */
  readonly model: string
  readonly can: Capabilities
  /** The clip length in seconds that the operator wants of it. Absent: that of the installation. */
  readonly clipSeconds?: number | undefined
  /** Places an order with at most one paid request. Throws only ProviderError. Never retries. */
  submit(request: VideoRequest, credential: Credential, call: SubmitCall): Promise<OrderRef>
  /**
   * Returns an order's state. A failed order is a result; throws ProviderError only if the poll
   * itself failed.
   */
  poll(ref: OrderRef, credential: Credential, signal: AbortSignal): Promise<PollResult>
  /**
   * Downloads the clip into the file. Resumes after the bytes already in it, if the host supports
   * that. Throws ProviderError, or the file's own error unchanged: a full disk is not the
   * provider's fault.
   */
  fetch(job: FinishedOrder, credential: Credential, into: FetchInto): Promise<{ bytes: number }>
  /** Looks for an order after a lost submit response. Never places an order. */
  find?(attempt: LostOrder, credential: Credential, signal: AbortSignal): Promise<FindResult>
  /**
   * Classifies a pasted secret by its form alone, without a request. Absent if no secret is needed.
   */
  scopeOf?(secretText: string): SecretScope
  /**
   * Tests a credential with one call that costs nothing. Resolves if it works, else throws the
   * ProviderError that an order would get. Absent if no credential is needed.
   */
  check?(credential: Credential, signal: AbortSignal): Promise<void>
  /**
   * Removes the provider's local data for an order that is over, with or without a clip, and stops
   * any work on it.
   */
  forget?(ref: OrderRef): Promise<void>
  /**
   * Withdraws an order that was waiting when it was last polled. Returns true if it is gone and no work
   * will be done on it. Otherwise the next poll says what became of it. A call that fails is false.
   */
  withdraw?(ref: OrderRef, credential: Credential, signal: AbortSignal): Promise<boolean>
  /**
   * Returns what the operator has to mend before orders can work, in words, each with what to do. Asks
   * the service, and throws nothing of it. Absent: nothing is checked beyond the settings.
   */
  problems?(signal: AbortSignal): Promise<string[]>
  /** Removes remaining local data of orders that ended more than `olderThanMs` ago. */
  tidy?(olderThanMs: number): Promise<void>
}

export type Capabilities = {
  /** Supported clip lengths in seconds. The one nearest to the requested length is ordered. */
  durations: readonly [number, ...number[]]
  /**
   * How each optional text is sent: in a field of its own, as a line of the prompt, or not at all. Only
   * a `native` one is not null in `VideoRequest`.
   */
  texts: Record<keyof OrderTexts, 'native' | 'fold-into-prompt' | 'none'>
  /** How `find` can look for an order after a lost submit response. */
  recover: 'client-id' | 'output-prefix' | 'list' | 'none'
  /**
   * Whether the operator wants an order with unknown acceptance to be placed again at once, instead
   * of looking for it or waiting. Each abandoned order is recorded as an orphan.
   */
  ordersAgain: boolean
  /**
   * Whether every token of an account scope can ask about the scope's orders, whichever of its tokens
   * placed them. Absent: only tokens of the same account.
   */
  sharesOrders?: boolean
  /** What its clips are like where the operator or the service does not make them 720p, or without sound. */
  clip?: { resolution?: string | undefined; isSilent?: boolean | undefined }
  /** Whether an order may have a picture. Absent: `submit` is never given one. */
  takesPictures?: boolean
  /** Whether an order with a picture may also have one for its end. */
  takesEndPictures?: boolean
  /** False for the built-in renderer, which needs no token. */
  needsCredential: boolean
  /** How long one order may take before it is given up, in milliseconds. */
  deadlineMs: number
  /** The start of `deadlineMs`: the order, or (`rendering`) the end of the phase `queued`. */
  deadlineFrom: 'order' | 'rendering'
  /** How long a finished clip can be fetched. */
  clipsKeptMs: number
  /** How long one order usually takes; the base of finish estimates. */
  expectedMs: number
  submitsPerMinute?: number | undefined
  maxInFlight?: number | undefined
  /** How many orders the provider works on at once; the others wait. Absent: all of them. */
  atOnce?: number
  /** Places beyond `maxInFlight` for single videos, which then overtake the waiting orders. */
  extraForSingles?: number
}

// Placing an order

export type AspectRatio = 'portrait' | 'landscape'

/** The optional texts of an order beside its prompt. Null: none. */
export type OrderTexts = { negativePrompt: string | null }

/** What one attempt orders. Sizes are 720p: 720x1280 (portrait) or 1280x720 (landscape). */
export type VideoRequest = OrderTexts & {
  prompt: string
  aspectRatio: AspectRatio
  durationSeconds: number
  seed: number
  /** A JPEG of the size of the video, which it begins with. Absent where an order is only looked up. */
  picture?: Uint8Array
  /** Another one, which it ends with. Only beside `picture`. */
  endPicture?: Uint8Array
}

/** Access to a provider account. Only `id` and `accountScope` may be logged. */
export type Credential = {
  id: string
  /**
   * The account. An order exists only in the account that accepted it: poll and fetch need the same
   * scope.
   */
  accountScope: string
  kind: 'static-bearer' | 'service-account' | 'none'
  secret: Secret
}

/** The account to which a pasted secret gives access, or why it cannot give access to any. */
export type SecretScope =
  { ok: true; accountScope: string; kind: Credential['kind'] } | { ok: false; problem: string }

/** One call that may cost money. */
export type SubmitCall = {
  /** Matches [a-z0-9-]{1,40} and is unique per order. */
  attemptId: string
  signal: AbortSignal
  /**
   * Returns whether the order may be sent, and stores that it may have been. The adapter calls it
   * after it has connected, before the first byte of each paid request. If it returns false,
   * the adapter sends nothing and throws with acceptance `not-sent`. Does not throw.
   */
  mayStart(): Promise<boolean>
  /** An adapter that queues orders on this machine starts those of a lower lane first. */
  lane: number
}

/** Identifies an order with the provider. Opaque to the engine, stored as JSON. */
export type OrderRef = {
  provider: string
  accountScope: string
  model: string
  id: string
  data?: Record<string, string>
}

// Asking about it

export type PollResult = OrderState & {
  /** The prompt of the order, if the provider returns it. It may be reworded or cut. */
  prompt?: string
  /** The attempt for which the order was made, if the answer names it. */
  attemptId?: string
  /** A status that the adapter does not know, redacted. The order counts as pending or was looked at. */
  strangeWord?: string
}

type OrderState =
  | {
      state: 'pending'
      phase: 'queued' | 'running'
      progress?: number
      /** A small JPEG of what has been made so far. */
      still?: Buffer
      pollAfterMs: number
    }
  | { state: 'succeeded'; assets: readonly [AssetRef, ...AssetRef[]] }
  /** `wasStopped`: somebody has ended it, as `withdraw` does. */
  | { state: 'failed'; fault: Fault; evidence: Evidence; wasStopped?: true }

/** The location of a clip's bytes. Stored as JSON, so that a restarted worker can fetch them. */
export type AssetRef =
  | { at: 'url'; url: string; auth: 'credential' | 'none' }
  | { at: 'gcs'; bucket: string; object: string }
  | { at: 'file'; path: string }

// Fetching the clip

/** A finished order and the location of its clip. */
export type FinishedOrder = { ref: OrderRef; asset: AssetRef }

/** The target of a download and its limits. */
export type FetchInto = {
  file: ClipFile
  maxBytes: number
  /** The longest pause between two pieces. */
  idleMs: number
  signal: AbortSignal
}

/**
 * A clip that is being downloaded. The file survives a broken download, so that it can be resumed.
 */
export type ClipFile = {
  /** Returns the number of bytes in the file. */
  bytes(): number
  /**
   * Returns the host's version identifier for those bytes, such as a strong ETag, or null if
   * unknown.
   */
  version(): string | null
  /** Appends a chunk. Rejects with the file's own error, such as a full disk. */
  write(chunk: Uint8Array): Promise<void>
  /** Empties the file and stores the version of the bytes that will be written. */
  restart(version: string | null): Promise<void>
}

// Looking for an order whose response was lost

/** Describes an order that may have been accepted, for a look-up. */
export type LostOrder = {
  attemptId: string
  sentAt: Date
  request: VideoRequest
  accountScope: string
  /** Milliseconds since `sentAt`, by the clock that wrote it. */
  ageMs: number
  /** Milliseconds since the last moment at which the provider could have accepted the order. */
  lostMs: number
  /**
   * Returns whether another attempt owns this order (`OrderRef.id`). If absent, similar orders are
   * ignored.
   */
  belongsToAnother?(orderId: string): Promise<boolean>
}

export type FindResult =
  | { found: 'order'; ref: OrderRef }
  | { found: 'assets'; ref: OrderRef; assets: readonly [AssetRef, ...AssetRef[]] }
  /** `settled` is true only if the order can no longer appear. */
  | { found: 'nothing'; settled: boolean }

// What goes wrong

export type Fault =
  | { kind: 'unauthorized' }
  | { kind: 'rate-limited'; retryAfterMs?: number; scope: 'credential' | 'account' | 'service' }
  | { kind: 'quota-exhausted'; scope: 'credential' | 'account' }
  | { kind: 'invalid-request'; field?: string }
  | {
      kind: 'content-blocked'
      stage: 'prompt' | 'output' | 'audio' | 'unknown'
      codes: readonly string[]
    }
  | { kind: 'transient'; retryAfterMs?: number }
  | {
      kind: 'permanent'
      reason:
        | 'forbidden'
        | 'model-gone'
        | 'job-gone'
        | 'asset-gone'
        /** What came is too large, or whole and not playable, which the engine's inspection finds. */
        | 'broken-clip'
        | 'protocol'
        | 'other'
    }

/** Whether the provider has accepted the order. `unknown` is the only dangerous value. */
export type Acceptance = 'not-sent' | 'rejected' | 'unknown' | 'accepted'

export type Evidence = { status?: number; code?: string; message: string; requestId?: string }

/** The only error an adapter throws. */
export class ProviderError extends Error {
  constructor(
    readonly fault: Fault,
    readonly acceptance: Acceptance,
    readonly evidence: Evidence,
  ) {
    super(`${fault.kind}: ${evidence.message}`)
    this.name = 'ProviderError'
  }
}

/**
 * Returns the error if an adapter threw it. Rethrows any other, which the provider did not cause: a
 * bug, our disk, our database.
 */
export function providerErrorOrThrow(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  throw error
}
