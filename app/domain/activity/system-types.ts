import type { RetentionRule } from '../retention-types'
import type { PoolSummary } from '../tokens/types'

/** How the system is, as facts; what they mean is decided in system-rules.ts. */
export type SystemFacts = {
  workers: {
    host: string
    pid: number
    startedAt: string
    silentSeconds: number
    isAlive: boolean
  }[]
  work: {
    /** Jobs that are due and have not been taken. */
    jobsDue: number
    /** How long the oldest of them has been due. */
    queueAgeSeconds: number
    /** Videos in the line, and those of them that are held with a reason. */
    waiting: number
    held: number
    holdReasons: Record<string, number>
    oldestWaitSeconds: number
    oldestVideoId: string | null
    awaitingRounds: number
    /** Orders with the provider, and those whose answer was lost. */
    underWay: number
    lost: number
    /** How long the oldest order has been under way. */
    oldestOrderSeconds: number
    /** Orders whose next step is long due: nobody looks at them. */
    overdue: number
    overdueSeconds: number
    /** Finished clips that are not stored yet. */
    clipsWaiting: number
  }
  /** What became of orders within the last hour, as far back as the newest ones reach. */
  lately: {
    delivered: number
    /** Videos that failed for reasons that are not their owners'. */
    failed: number
    /** The commonest of those reasons (FailureClass). */
    reason: string | null
  }
  provider: {
    kind: string
    model: string
    needsCredential: boolean
    /** How long one order usually takes. */
    expectedSeconds: number
    gates: {
      scope: string
      isWholeService: boolean
      reason: string
      closedUntil: string
      strikes: number
    }[]
  }
  trial: {
    /** Videos a day of one new account, for so many days; 0: there is no trial. */
    videos: number
    days: number
    /** Ordered today, by everybody and from the busiest network, and the caps on both. */
    ordered: number
    mostPerDay: number
    busiestNetwork: number
    mostPerNetwork: number
    /** Whether a provider outside makes them. */
    isOrdered: boolean
  }
  invariants: { name: string; violations: number; checkedAt: string; ageSeconds: number }[]
  storage: {
    /** Null where the storage cannot tell. */
    freeBytes: number | null
    reserveBytes: number
    /** Why nothing is sent off and clips wait; null while they can be stored. */
    closedFor: 'space' | 'storage' | null
    /** What it said when it was asked just now: null when it answered. */
    problem: string | null
  }
  pool: PoolSummary
  retention: RetentionRule[]
}

export type Level = 'ok' | 'warn' | 'bad'

/** One sentence on one part of the system, and what to do about it. */
export type Finding = { area: string; level: Level; text: string; next: string | null }

export type SystemStatus = SystemFacts & { findings: Finding[] }
