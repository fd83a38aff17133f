import type { AlarmChannel } from '../business/types'
import type { BackupState } from '~/platform/backups/port'
import type { RetentionRule } from '../retention/remove-old.server'
import type { PoolSummary } from '../tokens/types'

/**
 * How many of the newest orders are read where those of the last hour are wanted, which keeps reads
 * fast. They cover an hour of a busy installation.
 */
export const NEWEST_ORDERS = 5_000

/** The state of the system as facts. findings.ts evaluates them. */
export type SystemFacts = {
  workers: {
    host: string
    pid: number
    startedAt: string
    silentSeconds: number
    isAlive: boolean
  }[]
  work: {
    /** Jobs that are due and not locked by a worker. */
    jobsDue: number
    /** How long the oldest of them has been due. */
    queueAgeSeconds: number
    /** Videos in the line, and how many of them are held for a reason. */
    waiting: number
    held: number
    holdReasons: Record<string, number>
    oldestWaitSeconds: number
    oldestVideoId: string | null
    awaitingRounds: number
    /** How long the most overdue round has been due. */
    roundsLateSeconds: number
    /** Orders with the provider, and those whose response was lost. */
    underWay: number
    lost: number
    /** How long the oldest order has been in progress. */
    oldestOrderSeconds: number
    /** Orders whose next step is long overdue, so no worker is processing them. */
    overdue: number
    overdueSeconds: number
    /** Finished clips that are not stored yet. */
    clipsWaiting: number
  }
  /** Outcome of the orders of the last hour, limited to the newest ones. */
  recent: {
    delivered: number
    /** Videos that failed for reasons that their owners did not cause. */
    failed: number
    /** Videos that failed because their prompts or settings were refused. */
    refused: number
    /** Those of the last ten minutes. */
    failedLately: number
    /** The most frequent of those reasons (FailureClass). */
    reason: string | null
    /** Orders to which the provider gave the id of an earlier one. */
    repeatedIds: number
  }
  provider: {
    kind: string
    model: string
    needsCredential: boolean
    /** The usual duration of one order. */
    expectedSeconds: number
    gates: {
      scope: string
      kind: 'service' | 'clips' | 'account'
      reason: string
      /** The beginning of the provider's answer that closed it, redacted; null if there was none. */
      seen: string | null
      closedUntil: string
    }[]
    /** Statuses of orders, seen within a day, that the adapter does not know. The latest first. */
    strangeWords: string[]
  }
  /** The further providers, each with its tokens. */
  others: (Pick<SystemFacts['provider'], 'kind' | 'model' | 'needsCredential' | 'gates'> & {
    pool: PoolSummary
  })[]
  /** The providers that take no orders, so that others stand in for them: their kinds. */
  asides: {
    kind: string
    /** Those that take orders. */
    standIns: string[]
    /** Whether videos wait for which no provider of their plan takes orders. */
    strands: boolean
    sinceSeconds: number
    /** What a video costs at each of them, in words, where it differs. */
    costs: string | null
  }[]
  trial: {
    /**
     * Videos per day of a new account, and the number of days; 0 videos means that there is no
     * trial.
     */
    videos: number
    days: number
    /** Ordered today by all users and from the busiest block (IPv4 /24, IPv6 /48), with the caps on both. */
    ordered: number
    mostPerDay: number
    busiestBlock: number
    mostPerNetwork: number
    /** Whether an external provider makes the videos. */
    isOrdered: boolean
  }
  invariants: { name: string; violations: number; checkedAt: string; ageSeconds: number }[]
  storage: {
    /** Null if the storage cannot report it. */
    freeBytes: number | null
    reserveBytes: number
    /** Why nothing is sent and clips wait; null while clips can be stored. */
    closedFor: 'space' | 'storage' | null
    /** The error of the check just made; null if the storage responded. */
    problem: string | null
  }
  /** Null if this server is not told of a folder with nightly backups. */
  backups: BackupState | null
  /** Names of the ways to pay that buyers see. */
  waysToPay: readonly string[]
  /** The sentence with which users' new orders are refused; null while they are accepted. */
  pause: string | null
  pool: PoolSummary
  alarms: AlarmFacts
  retention: RetentionRule[]
}

/** How messages to administrators fare. */
export type AlarmFacts = {
  /** Where they go. */
  channels: readonly AlarmChannel[]
  /** Those of them whose secrets the environment lacks. */
  unready: readonly AlarmChannel[]
  /** The pool's finding is worth a look below this number of working tokens. */
  fewKeys: number
  /** Messages of the last day that were tried in vain, and why the last of them failed. */
  failing: number
  problem: string | null
  /** Since the last one was sent; null: none yet. */
  sentSeconds: number | null
}

export type Level = 'ok' | 'warn' | 'bad'

/** A statement on one area of the system, and what to do about it. */
export type Finding = { area: string; level: Level; text: string; next: string | null }

export type SystemStatus = SystemFacts & { findings: Finding[] }
