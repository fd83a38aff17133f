import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { VideoStorage } from '~/platform/storage/port'
import { ArchiveError, readArchive, readJson } from './archive'
import { CLIPS, JOBS, jobsSchema, TABLES, type Header, type Jobs } from './format'
import { columnsOf } from './save'

type LoadPlan = { client: pg.Client; storage: VideoStorage; file: string; header: Header }

/**
 * Brings a verified backup into an empty database, whose schema is the backup's, and into the storage.
 * Files come first and rows last, in one transaction: after an error the database is still empty and
 * the same can be done again. The rows are what they were; leases of processes that are not there run
 * out, and the workers go on from there as they do after a crash.
 */
export async function load({ client, storage, file, header }: LoadPlan): Promise<void> {
  await readArchive(file, async (name, bytes) => {
    if (name.startsWith(CLIPS)) await store(storage, name.slice(CLIPS.length), bytes)
  })
  await client.query('begin')
  try {
    await client.query(`set local idle_in_transaction_session_timeout = 0`)
    await loadTables(client, file, header)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function store(storage: VideoStorage, key: string, bytes: Readable): Promise<void> {
  const scratch = await storage.scratchPath(`restore-${path.basename(key)}`)
  try {
    await pipeline(bytes, createWriteStream(scratch))
    await storage.commit(scratch, key)
  } catch (error) {
    await fs.rm(scratch, { force: true })
    throw error
  }
}

async function loadTables(client: pg.Client, file: string, { tables }: Header): Promise<void> {
  const names = tables.map(({ name }) => name)
  // What the triggers would count and stamp is in the rows already; references are checked again below.
  const constraints = await takeReferences(client)
  await eachTable(client, names, 'disable trigger user')
  const rowsOf = new Map(tables.map((table) => [`${TABLES}${table.name}.gz`, table]))
  await readArchive(file, async (name, bytes) => {
    if (name === JOBS) return addJobs(client, jobsSchema.parse(await readJson(bytes)))
    const table = rowsOf.get(name)
    if (!table) return
    const into = client.query(copyFrom(`copy ${columnsOf(table.name, table.columns)} from stdin`))
    await pipeline(bytes, createGunzip(), into)
    if (into.rowCount !== table.rows) {
      throw new ArchiveError(`${table.name}: ${into.rowCount} of ${table.rows} rows came.`)
    }
  })
  await eachTable(client, names, 'enable trigger user')
  for (const statement of constraints) await client.query(statement)
  await raiseSequences(client)
}

async function eachTable(client: pg.Client, names: readonly string[], what: string) {
  for (const name of names) {
    // A table's name cannot be a parameter.
    const statement = `alter table ${client.escapeIdentifier(name)} ${what}`
    await client.query(statement)
  }
}

/** Drops the references between tables, so that their order does not matter; answers how to add them. */
async function takeReferences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  )
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ add }) => add)
}

/** Numbers that are handed out go on after the highest that was. */
async function raiseSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('select setval(%L, greatest((select max(%I) from %s), 1))',
       pg_get_serial_sequence(attrelid::regclass::text, attname), attname, attrelid::regclass) as statement
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
       and pg_get_serial_sequence(attrelid::regclass::text, attname) is not null`,
  )
  for (const { statement } of rows) await client.query(statement)
}

/** By the queue's own function: its tables may look different in another version. */
async function addJobs(client: pg.Client, jobs: Jobs): Promise<void> {
  for (const { task, payload, queue, runAt, maxAttempts, key, priority, flags } of jobs) {
    await client.query(
      `select graphile_worker.add_job($1, $2::json, $3, $4::timestamptz, $5, $6, $7, $8::text[])`,
      [task, JSON.stringify(payload), queue, runAt, maxAttempts, key, priority, flags],
    )
  }
}
