import type { Sql } from 'sql-template-tag'
import type { Tx } from '../db/port'
import type { JobName, JobPayload } from './catalog'

export type NewJob<Name extends JobName = JobName> = {
  name: Name
  payload: JobPayload<Name>
  /** Milliseconds from the engine's now; at once when left out. Less than 0 goes before what is due now. */
  delayMs?: number
}

export type Queue = {
  /** Adds jobs on the caller's transaction: they exist exactly when its rows do. */
  add(tx: Tx, jobs: readonly NewJob[]): Promise<void>
  /** A query that adds jobs, to stand in a statement of one's own; as with `add`, all or none. */
  adding(jobs: readonly NewJob[]): Sql
}
