import sql from 'sql-template-tag'

// Subqueries over the queue's tables, for use after `from`. No other file names those tables (lint:
// reelmill/tables-have-owners).

/** Jobs that are due and not locked by a runner. Column: `run_at`. */
export const DUE_JOBS = sql`(
  select run_at from graphile_worker.jobs
  where run_at <= engine_now() and locked_at is null and attempts < max_attempts)`

/** All text in the jobs. Columns: `id`, and `text` with the last error and the payload. */
export const JOB_TEXTS = sql`(
  select id::text, coalesce(last_error, '') || payload::text as text from graphile_worker._private_jobs)`
