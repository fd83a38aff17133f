import sql from 'sql-template-tag'

// What other statements may read of the queue's tables, to stand behind `from`. Their names are known
// here alone (lint: reelmill/tables-have-owners).

/** The jobs that are due and that no runner has taken: `run_at`. */
export const DUE_JOBS = sql`(
  select run_at from graphile_worker.jobs
  where run_at <= engine_now() and locked_at is null and attempts < max_attempts)`

/** What the jobs hold in words: `id`, and `text` with the payload and the last error. */
export const JOB_TEXTS = sql`(
  select id::text, coalesce(last_error, '') || payload::text as text from graphile_worker._private_jobs)`
