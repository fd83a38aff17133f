import fs from 'node:fs/promises'
import type pg from 'pg'
import { median, round } from './measure'

/** What one process uses at one moment. `at` is in ms of the run. */
export type Reading = { at: number; megabytes: number; files: number }

/** How a process's use develops. The slope is per hour of real time, after the warm-up. */
export type Use = {
  megabytes: { median: number; most: number; slopePerHour: number }
  files: { first: number; last: number; most: number }
}

const KIB_PER_MB = 1024

/** Reads the resident memory and the open files of a process on Linux. */
export async function readProcess(pid: number, at: number): Promise<Reading> {
  const status = await fs.readFile(`/proc/${pid}/status`, 'utf8')
  const kib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1])
  const files = await fs.readdir(`/proc/${pid}/fd`)
  return { at, megabytes: kib / KIB_PER_MB, files: files.length }
}

/** Sums up the readings of one process that were taken after `warmUpMs`. Throws if there are none. */
export function useOf(readings: readonly Reading[], warmUpMs: number): Use {
  const warm = readings.filter(({ at }) => at >= warmUpMs)
  const [first, last] = [warm[0], warm.at(-1)]
  if (!first || !last) throw new Error('the run ended before the warm-up did')
  const megabytes = warm.map((reading) => reading.megabytes)
  return {
    megabytes: {
      median: round(median(megabytes)),
      most: round(Math.max(...megabytes)),
      slopePerHour: round(slope(warm.map(({ at, megabytes: y }) => ({ x: at / 3_600_000, y })))),
    },
    files: {
      first: first.files,
      last: last.files,
      most: Math.max(...warm.map(({ files }) => files)),
    },
  }
}

/** Returns the slope of the line that fits the points best. */
function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))]
  const over = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0)
  const under = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  return under === 0 ? 0 : over / under
}

/** What the database uses at one moment. */
export type DatabaseUse = { connections: number; deadJobs: number; megabytes: number }

/** Reads the connections, the size and the dead rows of the job table. */
export async function readDatabase(db: pg.Pool): Promise<DatabaseUse> {
  const { rows } = await db.query<DatabaseUse>(
    `select (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      (select coalesce(sum(n_dead_tup), 0)::int from pg_stat_user_tables
        where schemaname = 'graphile_worker' and relname = '_private_jobs') as "deadJobs",
      (pg_database_size(current_database()) / 1048576)::int as megabytes`,
  )
  if (!rows[0]) throw new Error('the database returned no figures')
  return rows[0]
}
