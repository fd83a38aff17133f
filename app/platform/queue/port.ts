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
}
