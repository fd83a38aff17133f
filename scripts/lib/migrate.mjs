import { readdir } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { StartError } from './data-dir.mjs'
import { deployMigrations, noteMigration } from './prisma.mjs'
import { refusalOf } from './reason.mjs'
import { root } from './root.mjs'
import { run } from './state.mjs'

/** The advisory lock that lets one process at a time prepare a database. */
const RELEASE_LOCK = 7_300

/**
 * The last migration of version 0.1.0. With it a database has the schema of this version's first migration,
 * which contains those before.
 */
const LAST_OF_0_1_0 = '20261129063100_price_of_what_was_paid'

/**
 * Brings a database up to date: schema, queue tables, first administrator. Safe to run concurrently: the
 * second process waits and finds nothing to do. Throws StartError.
 *
 * @param {NodeJS.ProcessEnv} env with DATABASE_URL and the secrets
 */
export async function migrate(env) {
  try {
    await migrateUnderLock(env)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(refusalOf(error))
  }
}

/** @param {NodeJS.ProcessEnv} env */
async function migrateUnderLock(env) {
  const { settingsProblem } = await import(path.join(root, 'build/settings.js'))
  const problem = await settingsProblem(env.DATABASE_URL)
  if (problem) throw new StartError(problem)
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [RELEASE_LOCK])
    const applied = await readMigrations(client)
    const { known, missing, unknown, isTooOld } = await compareMigrations(applied)
    if (isTooOld) throw new StartError(`This database is ${TOO_OLD}`)
    if (unknown.length > 0) {
      throw new StartError(
        `This database is newer than this version of the product: it has ${unknown.join(', ')}. Run the newer version, or restore a backup that this version made.`,
      )
    }
    if (missing.length > 0) {
      await refuseWithoutRights(client)
      await forgetFailures(client)
      const url = String(env.DATABASE_URL)
      const [first = ''] = known
      if (known.length > 0 && !applied.includes(first)) await noteMigration(url, first)
      await deployMigrations(url)
    }
    const prepare = [path.join(root, 'build/prepare.js')]
    await run(process.execPath, prepare, { env, shown: true }).catch(() => {
      throw new StartError('The database could not be prepared: see the lines above.')
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Throws StartError if the database user may not create tables.
 *
 * @param {pg.Client} client
 */
async function refuseWithoutRights(client) {
  const { rows } = await client.query(
    `select current_user as who, current_database() as place
     where not has_schema_privilege(current_schema(), 'create')`,
  )
  const [found] = rows
  if (!found) return
  throw new StartError(
    `The database user ${found.who} may not create tables in ${found.place}. Use the owner of the database in DATABASE_URL.`,
  )
}

/**
 * Marks migrations that have not finished as rolled back, because Prisma would refuse to continue. Each
 * is one transaction, so it was undone, unless the process was killed just after the commit (see
 * docs/operations/backup.md).
 *
 * @param {pg.Client} client
 */
async function forgetFailures(client) {
  const { rows } = await client.query(`select to_regclass('_prisma_migrations') as name`)
  if (!rows[0]?.name) return
  await client.query(
    'update _prisma_migrations set rolled_back_at = now() where finished_at is null and rolled_back_at is null',
  )
}

/** Returns the migrations that a database has. @param {pg.Client} client */
async function readMigrations(client) {
  const { rows: tables } = await client.query(`select to_regclass('_prisma_migrations') as name`)
  if (!tables[0]?.name) return []
  const { rows } = await client.query(
    'select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null order by 1',
  )
  return rows.map((row) => String(row.migration_name))
}

/** The end of a message about a database or a backup. */
export const TOO_OLD =
  'from a version before the last one of 0.1.0. Install that one first (docs/operations/backup.md says how), then this.'

/**
 * Compares the migrations of a database or a backup with those of this version: those that it has and lacks,
 * in the names of this version, and those that this version does not know.
 *
 * @param {string[]} applied
 */
export async function compareMigrations(applied) {
  const wanted = await migrationNames()
  const [first = ''] = wanted
  const isTooOld =
    applied.length > 0 && !applied.includes(first) && !applied.includes(LAST_OF_0_1_0)
  const later = applied.filter((name) => name > first)
  const known = applied.length > 0 ? [first, ...later.filter((name) => wanted.includes(name))] : []
  return {
    known,
    missing: wanted.filter((name) => !known.includes(name)),
    unknown: later.filter((name) => !wanted.includes(name)),
    isTooOld,
  }
}

/** Returns the migrations of this version, in order. */
async function migrationNames() {
  const names = await readdir(path.join(root, 'prisma/migrations'))
  return names.filter((name) => /^\d+_/.test(name)).sort()
}
