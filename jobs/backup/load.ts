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
 * Loads a verified backup into the storage and into an empty database with the backup's schema.
 * Files come first and rows last, in one transaction, so after an error the database is still empty
 * and the load can be repeated. Rows are restored unchanged. Leases of processes that no longer
 * exist expire, and the workers continue as after a crash.
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
  // Triggers are disabled, because the rows already contain their results. References are checked
  // below.
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

/**
 * Drops all foreign keys, so that the order of tables does not matter. Returns the statements that
 * add them.
 */
async function takeReferences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  )
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ add }) => add)
}

/**
 * Sets sequences to continue after their highest used value. Reads the catalogue only:
 * `pg_get_serial_sequence` fails for tables that the owner may not read, and the planner may call it
 * for all tables of the database.
 */
async function raiseSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('select setval(%L, greatest((select max(%I) from %s), 1))',
       sequence.oid::regclass, attname, attrelid::regclass) as statement
     from pg_class as sequence
       join pg_depend on classid = 'pg_class'::regclass and objid = sequence.oid
         and refclassid = 'pg_class'::regclass and deptype in ('a', 'i')
       join pg_attribute on attrelid = refobjid and attnum = refobjsubid
     where sequence.relkind = 'S' and relnamespace = current_schema()::regnamespace`,
  )
  for (const { statement } of rows) await client.query(statement)
}

/** Adds jobs by the queue's own function, because its tables may differ between versions. */
async function addJobs(client: pg.Client, jobs: Jobs): Promise<void> {
  for (const { task, payload, queue, runAt, maxAttempts, key, priority, flags } of jobs) {
    await client.query(
      `select graphile_worker.add_job($1, $2::json, $3, $4::timestamptz, $5, $6, $7, $8::text[])`,
      [task, JSON.stringify(payload), queue, runAt, maxAttempts, key, priority, flags],
    )
  }
}
