import sql, { type Sql } from 'sql-template-tag'
import { jobKey } from './catalog'
import type { NewJob, Queue } from './port'

/**
 * Creates the queue. Adding jobs takes one statement and one notification, for any number of jobs.
 */
export function createQueue(): Queue {
  return {
    adding,
    addingOne: (name, payload, delayMs = 0) =>
      sql`add_wake_ups(json_build_array(json_build_object('name', ${name}::text, 'payload', ${payload},
        'delay', ${delayMs}::float)))`,
    add: async (tx, jobs) => {
      if (jobs.length > 0) await tx.run(sql`select ${adding(jobs)}`)
    },
    check: async (db) => {
      await db.row(sql`select 1 from graphile_worker.jobs limit 1`)
    },
    release: async (tx, pools) => {
      await tx.run(sql`select graphile_worker.force_unlock_workers(${[...pools]}::text[])`)
      // A job that was replaced while it ran has no tries left, and graphile-worker never removes
      // it.
      await tx.run(sql`
        delete from graphile_worker._private_jobs
        where locked_at is null and attempts >= max_attempts and last_error is null and key is null`)
    },
  }
}

const adding = (jobs: readonly NewJob[]): Sql => {
  const specs = jobs.map(({ name, payload, delayMs = 0, key = jobKey(payload) }) => ({
    name,
    payload,
    key,
    delay: delayMs,
  }))
  return sql`add_wake_ups(${JSON.stringify(specs)}::json)`
}
