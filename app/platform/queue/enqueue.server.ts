import sql, { type Sql } from 'sql-template-tag'
import type { NewJob, Queue } from './port'

/** Keeps a failed task coming back for hours; what a failure means is decided in our own tables. */
const MAX_ATTEMPTS = 25

/** One statement and one notification, however many jobs. */
export function createQueue(): Queue {
  return {
    adding,
    add: async (tx, jobs) => {
      if (jobs.length > 0) await tx.run(adding(jobs))
    },
  }
}

function adding(jobs: readonly NewJob[]): Sql {
  const specs = JSON.stringify(
    jobs.map(({ name, payload, delayMs }) => ({ name, payload, delay: delayMs ?? 0 })),
  )
  return sql`
    select graphile_worker.add_jobs(array_agg(
      row(spec->>'name', spec->'payload', null,
          engine_now() + (spec->>'delay')::float * interval '1 millisecond',
          ${MAX_ATTEMPTS}::smallint, null, null, null)::graphile_worker.job_spec))
    from json_array_elements(${specs}::json) as spec`
}
