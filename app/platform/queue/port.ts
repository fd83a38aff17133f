import type { Sql } from 'sql-template-tag'
import type { Executor, Tx } from '../db/port'
import type { JobName, JobPayload } from './catalog'

export type NewJob<Name extends JobName = JobName> = {
  name: Name
  payload: JobPayload<Name>
  /** Milliseconds from the engine's now; at once when left out. Less than 0 goes before what is due now. */
  delayMs?: number
  /** One job waits under a key: adding it again moves it. One that runs already is followed by another. */
  key?: string
}

export type Queue = {
  /** Adds jobs on the caller's transaction: they exist exactly when its rows do. */
  add(tx: Tx, jobs: readonly NewJob[]): Promise<void>
  /** An expression that adds jobs, to stand in a statement of one's own; its value is how many. */
  adding(jobs: readonly NewJob[]): Sql
  /**
   * The same for one job that is due at once, with a payload that the statement works out itself (an
   * expression of type json).
   */
  addingOne(name: JobName, payload: Sql): Sql
  /** Rejects when the queue's tables do not answer or are not there. */
  check(db: Executor): Promise<void>
  /** Gives back the jobs that were taken under the names of runners that are gone. */
  release(tx: Tx, pools: readonly string[]): Promise<void>
}
