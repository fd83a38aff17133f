import { createReadStream, createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Env } from '~/platform/env.server'
import { nullIfMissing, type VideoStorage } from '~/platform/storage/port'
import { filesOf } from '~/lib/poster-files'
import { ArchiveError, createArchive, publish, verifyArchive, type Archive } from './archive'
import { CLIPS, FORMAT, HEADER, JOBS, SECRETS, TABLES, type Header, type Jobs } from './format'

/** Tables that are not saved. The rows of `worker_processes` would be meaningless after a restore. */
const NOT_SAVED = ['_prisma_migrations', 'worker_processes']

export type SavePlan = {
  client: pg.Client
  storage: VideoStorage
  env: Pick<Env, 'SESSION_SECRET' | 'ENCRYPTION_KEY'>
  file: string
  signal: AbortSignal
}

export type Saved = {
  header: Header
  /** Clips and posters of the snapshot that are missing in the storage or differ there. */
  missing: string[]
}

/**
 * Saves the whole installation to one file while it continues to run. One transaction reads all
 * rows, so they are consistent. Stored files never change, so they are copied afterwards. The file
 * gets its final name once it has been read back and every hash is correct.
 */
export async function save({ client, storage, env, file, signal }: SavePlan): Promise<Saved> {
  const draft = `${file}.part`
  const work = await fs.mkdtemp(`${file}.tables-`)
  const archive = createArchive(draft, signal)
  try {
    const { header, jobs, clipList } = await readDatabase(client, work)
    await archive.addJson(HEADER, header)
    await archive.addJson(SECRETS, {
      SESSION_SECRET: env.SESSION_SECRET.join(','),
      ENCRYPTION_KEY: env.ENCRYPTION_KEY.join(','),
    })
    for (const { name } of header.tables) await addFile(archive, `${TABLES}${name}.gz`, work)
    await archive.addJson(JOBS, jobs)
    const missing = await addClips(archive, storage, clipList)
    await archive.finish()
    await verifyArchive(draft, signal)
    signal.throwIfAborted()
    await publish(draft, file)
    return { header, missing }
  } catch (error) {
    await archive.abandon()
    await fs.rm(draft, { force: true })
    throw error
  } finally {
    await fs.rm(work, { recursive: true, force: true })
  }
}

/** Reads rows, waiting jobs and the list of referenced files in one snapshot. */
async function readDatabase(client: pg.Client, work: string) {
  await client.query('begin isolation level repeatable read, read only')
  try {
    const migrations = await listMigrations(client)
    const tables: Header['tables'] = []
    for (const { name, columns } of await listTables(client)) {
      const rows = await copyOut(client, columnsOf(name, columns), path.join(work, `${name}.gz`))
      tables.push({ name, columns, rows })
    }
    const clipList = path.join(work, 'clips')
    const clips = await copyOut(client, CLIP_LIST, clipList)
    const { rows: now } = await client.query<{ at: Date }>('select now() as at')
    const takenAt = (now[0]?.at ?? new Date()).toISOString()
    const header: Header = { format: FORMAT, takenAt, migrations, tables, clips }
    return { header, jobs: await listJobs(client), clipList }
  } finally {
    await client.query('rollback')
  }
}

/**
 * The clips and pictures of all videos, including those in the trash, which can still be restored, and the
 * pictures of drafts.
 */
const CLIP_LIST = `(
  select file_key, coalesce(file_sha256, '') from videos where file_key is not null
  union all
  select poster_key, '' from videos where poster_key is not null
  union all
  select file_key, sha256 from order_pictures
  where exists (select 1 from video_pictures
      where picture_id in (order_pictures.id, order_pictures.twin_id))
    or exists (select 1 from video_pictures
      where end_picture_id in (order_pictures.id, order_pictures.twin_id))
    or exists (select 1 from draft_pictures
      where portrait_id = order_pictures.id or landscape_id = order_pictures.id))`

async function listMigrations(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as there`,
  )
  if (!found[0]?.there) throw new ArchiveError('This database holds no product: nothing to save.')
  const { rows } = await client.query<{ name: string }>(
    `select migration_name as name from _prisma_migrations
     where finished_at is not null and rolled_back_at is null order by migration_name`,
  )
  return rows.map(({ name }) => name)
}

async function listTables(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(attname::text order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
       and attnum > 0 and not attisdropped and attgenerated = '' and relname <> all($1)
     group by relname order by relname`,
    [NOT_SAVED],
  )
  return rows
}

/** Returns a table and its columns in the form of COPY, for saving and loading. */
export const columnsOf = (table: string, columns: readonly string[]): string =>
  `"${table}" (${columns.map((column) => `"${column}"`).join(', ')})`

/**
 * Copies the result of COPY to a file, compressed if its name ends in .gz. Returns the number of
 * rows.
 */
async function copyOut(client: pg.Client, what: string, file: string): Promise<number> {
  const rows = client.query(copyTo(`copy ${what} to stdout`))
  const target = createWriteStream(file, { mode: 0o600 })
  await (file.endsWith('.gz') ? pipeline(rows, createGzip(), target) : pipeline(rows, target))
  return rows.rowCount
}

/**
 * Returns the jobs that have tries left or are running their last one, because the process that
 * runs it will not exist after a restore. A job that was replaced while it ran has no key; its
 * successor is in the list.
 */
async function listJobs(client: pg.Client): Promise<Jobs> {
  const { rows } = await client.query<Jobs[number]>(
    `select identifier as task, payload, queue_name as queue, run_at as "runAt",
       max_attempts as "maxAttempts", key, priority,
       case when flags is null then null else array(select jsonb_object_keys(flags)) end as flags
     from graphile_worker._private_jobs as jobs
     join graphile_worker._private_tasks as tasks on tasks.id = task_id
     left join graphile_worker._private_job_queues as queues on queues.id = job_queue_id
     where jobs.attempts < jobs.max_attempts or (jobs.locked_at is not null and jobs.key is not null)
     order by jobs.id`,
  )
  return rows
}

async function addFile(archive: Archive, name: string, work: string): Promise<void> {
  const file = path.join(work, path.basename(name))
  const { size } = await fs.stat(file)
  await archive.add(name, size, createReadStream(file))
}

/** Adds all clips. Returns those that could not be saved as their rows describe them. */
async function addClips(archive: Archive, storage: VideoStorage, list: string): Promise<string[]> {
  const missing: string[] = []
  const lines = createInterface({ input: createReadStream(list) })
  const seen = new Set<string>()
  for await (const line of lines) {
    const [key = '', sha256 = ''] = line.split('\t')
    // Demo videos share their files.
    if (seen.has(key)) continue
    seen.add(key)
    for (const file of filesOf(key)) {
      const saved = await addStored(archive, storage, file)
      // Older posters have no WebPs.
      const isComplete = saved !== null && (sha256 === '' || saved.sha256 === sha256)
      if (!isComplete && file === key) missing.push(key)
    }
  }
  return missing
}

/** Returns null if the file was deleted since the snapshot, or was already missing. */
const addStored = (archive: Archive, storage: VideoStorage, key: string) =>
  nullIfMissing(async () =>
    archive.add(CLIPS + key, await storage.size(key), await storage.open(key)),
  )
