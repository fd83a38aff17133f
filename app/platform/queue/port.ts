import type { Sql } from 'sql-template-tag'
import type { Executor, Tx } from '../db/port'
import type { JobName, JobPayload } from './catalog'

export type NewJob<Name extends JobName = JobName> = {
  name: Name
  payload: JobPayload<Name>
  /**
   * Milliseconds from the engine's now; 0 by default. A negative delay runs before jobs due now.
   */
  delayMs?: number
  /**
   * At most one job waits per key: adding it again reschedules it. If it is running, another
   * follows.
   */
  key?: string
}

export type Queue = {
  /** Adds jobs in the caller's transaction, so that they are committed together with its rows. */
  add(tx: Tx, jobs: readonly NewJob[]): Promise<void>
  /**
   * Returns an SQL expression that adds jobs, for use in the caller's statement. Its value is their
   * number.
   */
  adding(jobs: readonly NewJob[]): Sql
  /**
   * Returns an SQL expression that adds one job, due at once or after a delay, whose payload is itself
   * an SQL expression (of type json).
   */
  addingOne(name: JobName, payload: Sql, delayMs?: number): Sql
  /** Rejects when the queue's tables cannot be read or do not exist. */
  check(db: Executor): Promise<void>
  /** Unlocks the jobs that were locked by runners (by name) that no longer exist. */
  release(tx: Tx, pools: readonly string[]): Promise<void>
}
