import { readdir } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { prisma } from './prisma.mjs'
import { root } from './root.mjs'
import { run } from './state.mjs'

/** Names the lock under which one process at a time prepares a database. */
const RELEASE_LOCK = 7_300

/**
 * Brings a database up to date: schema, queue tables, first administrator. Several processes may
 * call it at once; the second waits and finds nothing to do.
 *
 * @param {NodeJS.ProcessEnv} env with DATABASE_URL and the secrets
 */
export async function migrate(env) {
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [RELEASE_LOCK])
    if (!(await isCurrent(client))) {
      const code = await prisma(['migrate', 'deploy'], {
        env: { DATABASE_URL: env.DATABASE_URL ?? '' },
        doneWhen: /successfully applied\.|No pending migrations/,
        quiet: true,
      })
      if (code !== 0) throw new Error('The database could not be migrated.')
    }
    await run(process.execPath, [path.join(root, 'build/prepare.js')], { env, shown: true })
  } finally {
    await client.end()
  }
}

/** @param {pg.Client} client whether every migration of this version has been applied */
async function isCurrent(client) {
  const folder = path.join(root, 'prisma/migrations')
  const wanted = (await readdir(folder)).filter((name) => /^\d+_/.test(name))
  const { rows: tables } = await client.query(`select to_regclass('_prisma_migrations') as name`)
  if (!tables[0]?.name) return false
  const { rows } = await client.query(
    'select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  )
  const applied = new Set(rows.map((row) => row.migration_name))
  return wanted.every((name) => applied.has(name))
}
