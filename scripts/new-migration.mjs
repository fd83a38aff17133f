// `npm run db:migration -- name`: writes the difference between the existing migrations and the
// schema, and the functions of prisma/functions that were changed, as SQL into a new migration. What
// the schema language cannot express is added by hand.
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { compareFunctions } from './lib/database-functions.mjs'
import { deployMigrations, prisma } from './lib/prisma.mjs'
import { startCluster } from './lib/postgres.mjs'
import { root } from './lib/root.mjs'

const [name = ''] = process.argv.slice(2)
if (!/^[a-z0-9_]+$/.test(name)) {
  process.stderr.write('Name the migration: npm run db:migration -- add_batches\n')
  process.exit(1)
}
const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-shadow-'))
await fs.chmod(dir, 0o755)
const cluster = await startCluster({
  dir: path.join(dir, 'postgres'),
  password: 'shadow',
  settings: { fsync: 'off' },
})
try {
  // The folder is created after the difference is known: an empty one would count as a migration.
  const draft = path.join(dir, 'migration.sql')
  const from = [
    '--from-migrations',
    'prisma/migrations',
    '--to-schema-datamodel',
    'prisma/schema.prisma',
  ]
  const code = await prisma(['migrate', 'diff', ...from, '--script', '--output', draft], {
    env: { DATABASE_URL: cluster.url },
    quiet: true,
  })
  if (code !== 0) throw new Error('the difference could not be made')
  const functions = await changedFunctions(cluster.url)
  await fs.appendFile(draft, functions.map(({ text }) => `\n${text}`).join(''))
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = path.join(root, 'prisma/migrations', `${stamp}_${name}`)
  await fs.mkdir(folder)
  await fs.copyFile(draft, path.join(folder, 'migration.sql'))
  process.stdout.write(`prisma/migrations/${path.basename(folder)}/migration.sql\n`)
} finally {
  await cluster.stop('immediate')
  await fs.rm(dir, { recursive: true, force: true })
}

/**
 * Returns the functions for which a migration is missing. Migrates the database.
 *
 * @param {string} url
 */
async function changedFunctions(url) {
  await deployMigrations(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { changed } = await compareFunctions(client)
    return changed
  } finally {
    await client.end()
  }
}
