import fs from 'node:fs/promises'
import path from 'node:path'
import type { Product } from './product'

const MOST_ROWS = 20
const LOG_LINES = 15

/**
 * Returns what a failed run leaves: attempts of unended videos, orphaned and abandoned attempts,
 * jobs, and the last lines of the logs. Writes the complete lists to the folder of logs.
 */
export async function leftovers({ db, webs, workers, logDir }: Product): Promise<string> {
  const attempts = await rowsOf(
    db,
    `select attempts.* from attempts join videos on videos.id = video_id
     where videos.status in ('pending', 'generating') or attempts.state in ('orphaned', 'abandoned')
     order by attempts.created_at desc limit 1000`,
  )
  const jobs = await rowsOf(
    db,
    `select jobs.id, tasks.identifier, key, jobs.attempts, jobs.run_at, locked_at, locked_by, last_error, payload
     from graphile_worker._private_jobs as jobs
     join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
     order by run_at limit 1000`,
  )
  await fs.writeFile(path.join(logDir, 'attempts.json'), linesOf(attempts))
  await fs.writeFile(path.join(logDir, 'jobs.json'), linesOf(jobs))
  const words = [...webs, ...workers].map(
    ({ name, tail }) => `-- ${name}\n${tail(LOG_LINES).join('\n')}`,
  )
  return [
    `-- attempts (${attempts.length})\n${linesOf(attempts.slice(0, MOST_ROWS))}`,
    `-- jobs (${jobs.length})\n${linesOf(jobs.slice(0, MOST_ROWS))}`,
    ...words,
  ].join('\n')
}

const linesOf = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n')

async function rowsOf(db: Product['db'], text: string): Promise<unknown[]> {
  try {
    return (await db.query<Record<string, unknown>>(text)).rows
  } catch (error) {
    return [String(error)]
  }
}
