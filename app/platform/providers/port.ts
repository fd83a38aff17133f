/**
 * The provider port: what the engine asks of every video provider, and nothing else.
 *
 * Two words matter most. A *fault* says what went wrong; *acceptance* says whether the provider may
 * have taken a paid order. "500 on submit" and "500 on poll" are the same fault and opposite
 * dangers, so the engine decides by the pair and never by the provider's name.
 */

export type AspectRatio = 'portrait' | 'landscape'

/** What one attempt asks for. Sizes are 720p: 720x1280 (portrait) or 1280x720 (landscape). */
export type VideoRequest = {
  prompt: string
  negativePrompt: string | null
  aspectRatio: AspectRatio
  durationSeconds: number
  seed: number
}

/** A string that must never be printed. Read it only where a request is built. */
export class Secret {
  readonly #value: string
  constructor(value: string) {
    this.#value = value
  }
  reveal(): string {
    return this.#value
  }
  toString(): string {
    return '[redacted]'
  }
  toJSON(): string {
    return '[redacted]'
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[redacted]'
  }
}

/** A way into a provider account. Only `id` and `accountScope` may be logged. */
export type Credential = {
  id: string
  /** An operation lives and dies in the account that took it: poll and fetch need the same scope. */
  accountScope: string
  kind: 'static-bearer' | 'service-account' | 'none'
  secret: Secret
}

/** One call that may cost money. */
export type SubmitCall = {
  /** Matches [a-z0-9-]{1,40} and is unique per order. */
  attemptId: string
  signal: AbortSignal
  /**
   * Whether the order may still go out. The adapter asks once, after it has connected and before the
   * first byte of the paid request. After false it sends nothing and throws `not-sent`.
   */
  mayStart(): boolean
  /** An adapter that queues orders on this machine begins those of a lower lane first. */
  lane: number
}

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
      reason: 'forbidden' | 'model-gone' | 'job-gone' | 'asset-gone' | 'protocol' | 'other'
    }

/** Did the provider take the order? `unknown` is the only dangerous value. */
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

/** How to ask about an order again; opaque to the engine, stored as JSON. */
export type JobRef = {
  provider: string
  accountScope: string
  model: string
  id: string
  data?: Record<string, string>
}

/** Where the bytes are; stored as JSON, so that a restarted worker can fetch them. */
export type AssetRef =
  | { at: 'url'; url: string; auth: 'credential' | 'none' }
  | { at: 'gcs'; bucket: string; object: string }
  | { at: 'poll-body'; index: number }
  | { at: 'file'; path: string }

export type PollResult =
  | { state: 'pending'; phase: 'queued' | 'running'; progress?: number; pollAfterMs: number }
  | { state: 'succeeded'; assets: readonly [AssetRef, ...AssetRef[]] }
  | { state: 'failed'; fault: Fault; charged: 'no' | 'yes' | 'unknown'; evidence: Evidence }

export type FindResult =
  | { found: 'job'; ref: JobRef }
  | { found: 'assets'; ref: JobRef; assets: readonly [AssetRef, ...AssetRef[]] }
  /** `settled: true` only when the order can no longer turn up. */
  | { found: 'nothing'; settled: boolean }

export type Capabilities = {
  /** Clip lengths in seconds; the nearest to the wish is asked for. */
  durations: readonly [number, ...number[]]
  negativePrompt: 'native' | 'fold-into-prompt' | 'none'
  /** What `find` can do after a lost submit answer. */
  recover: 'client-id' | 'output-prefix' | 'list' | 'none'
  /**
   * The operator wants an order whose fate nobody knows to be made again at once, instead of looking
   * for it or waiting. Each one that is left behind is recorded as an orphan.
   */
  ordersAgain: boolean
  /** False for the built-in renderer, which needs no token. */
  needsCredential: boolean
  /** How long one order may take before it is given up. */
  deadlineMs: number
  /** What `deadlineMs` counts from; `rendering` is the end of the phase `queued`. */
  deadlineFrom: 'order' | 'rendering'
  /** How long a finished clip can be fetched. */
  clipsKeptMs: number
  /** How long one order usually takes; the base of finish estimates. */
  expectedMs: number
  submitsPerMinute?: number
  maxInFlight?: number
  /** How many of the orders under way are worked on; the others wait their turn. Absent: all. */
  atOnce?: number
  /** Places beyond `maxInFlight` for single videos, which then go before the orders that wait. */
  extraForSingles?: number
}

/** A finished order and where its clip lies. */
export type FinishedJob = { ref: JobRef; asset: AssetRef }

/** A clip on its way to this machine. It outlives a download that breaks off. */
export type ClipFile = {
  /** How many bytes it holds. */
  bytes(): number
  /** What the host calls the content those bytes belong to, such as a strong ETag; null: nobody knows. */
  version(): string | null
  /** Appends. Rejects with the file's own error, such as a full disk. */
  write(chunk: Uint8Array): Promise<void>
  /** Empties the file and notes the version of what will be written. */
  restart(version: string | null): Promise<void>
}

/** Where the bytes go, and how many and how slow they may be. */
export type FetchInto = {
  file: ClipFile
  maxBytes: number
  /** Longest pause between two pieces. */
  idleMs: number
  signal: AbortSignal
}

/** What an order that may have been taken is known by. */
export type LostOrder = {
  attemptId: string
  sentAt: Date
  request: VideoRequest
  accountScope: string
  /** Milliseconds since `sentAt`, by the clock that wrote it. */
  ageMs: number
  /** Milliseconds since the last moment at which the provider could have taken the order. */
  lostMs: number
  /** Whether another attempt owns this order (`JobRef.id`). Without it, look-alikes are left alone. */
  isTaken?(orderId: string): Promise<boolean>
}

/** Which account a pasted secret opens, or in words why it can open none. */
export type SecretScope =
  { ok: true; accountScope: string; kind: Credential['kind'] } | { ok: false; problem: string }

export type VideoProvider = {
  readonly kind: string
  /** Model id shown on the video and sent with each order. */
  readonly model: string
  readonly can: Capabilities
  /** At most one paid request. Throws ProviderError only. Never retries by itself. */
  submit(request: VideoRequest, credential: Credential, call: SubmitCall): Promise<JobRef>
  /** The job's own failure is a result; throws ProviderError only when asking failed. */
  poll(ref: JobRef, credential: Credential, signal: AbortSignal): Promise<PollResult>
  /**
   * Brings the asset's bytes into the file, going on after those it holds where the host can do that.
   * Throws ProviderError, or the file's own error unchanged: a full disk is no provider's fault.
   */
  fetch(job: FinishedJob, credential: Credential, into: FetchInto): Promise<{ bytes: number }>
  /** After a lost submit answer: looks, never sends again. */
  find?(attempt: LostOrder, credential: Credential, signal: AbortSignal): Promise<FindResult>
  /** Classifies a pasted secret by its form alone, asking nobody. Absent where none is needed. */
  scopeOf?(secretText: string): SecretScope
  /**
   * Tries a credential with one call that costs nothing. Resolves when it works; throws the
   * ProviderError that an order would meet. Absent where none is needed.
   */
  check?(credential: Credential, signal: AbortSignal): Promise<void>
  /**
   * The order is over, with or without a clip: what the provider keeps of it on this machine goes,
   * and no more work is done for it.
   */
  forget?(ref: JobRef): Promise<void>
  /** Takes an order back on which no work has begun; true when nothing of it is left or will be done. */
  withdraw?(ref: JobRef): Promise<boolean>
  /** Removes what it still keeps on this machine of orders that ended so long ago. */
  tidy?(olderThanMs: number): Promise<void>
}
