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
    /** Jobs that could run now and nobody has taken. */
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
  }
  provider: {
    kind: string
    model: string
    needsCredential: boolean
    gates: {
      scope: string
      isWholeService: boolean
      reason: string
      closedUntil: string
      strikes: number
    }[]
  }
  invariants: { name: string; violations: number; checkedAt: string; ageSeconds: number }[]
  storage: {
    /** Null where the storage cannot tell. */
    freeBytes: number | null
    reserveBytes: number
    /** Nothing is sent off for want of room. */
    isClosed: boolean
  }
  pool: PoolSummary
}

export type Level = 'ok' | 'warn' | 'bad'

/** One sentence on one part of the system, and what to do about it. */
export type Finding = { area: string; level: Level; text: string; next: string | null }

export type SystemStatus = SystemFacts & { findings: Finding[] }
