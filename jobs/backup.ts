import pg from 'pg'
import { runMigrations } from 'graphile-worker'
import { requireEnv } from '~/platform/env.server'
import type { Settings } from '~/platform/settings'
import { createStorage } from '~/platform/storage/registry.server'
import { ArchiveError, readFirst, verifyArchive } from './backup/archive'
import { FORMAT, HEADER, headerSchema, SECRETS, secretsSchema } from './backup/format'
import { load } from './backup/load'
import { save, type Saved } from './backup/save'

// For scripts/backup.mjs and scripts/restore.mjs, which cannot import source. Each function throws an
// error whose message is for the operator where `isForOperator` says so.

export const isForOperator = (error: unknown): boolean => error instanceof ArchiveError

/** Saves the installation that the settings describe into `file`. */
export const saveBackup = (settings: Settings, file: string): Promise<Saved> =>
  withParts(settings, ({ client, storage, env }) => save({ client, storage, env, file }))

/** What a whole, undamaged backup holds. */
export async function inspectBackup(file: string) {
  await verifyArchive(file)
  const header = headerSchema.parse(await readFirst(file, HEADER))
  if (header.format !== FORMAT) {
    throw new ArchiveError(`${file} was made by another version of the product: use that one.`)
  }
  return { header, secrets: secretsSchema.parse(await readFirst(file, SECRETS)) }
}

/** Whether rows would be overwritten: the schema alone does not count. */
export const holdsRows = (settings: Settings): Promise<boolean> =>
  withParts(settings, async ({ client }) => {
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('users') is not null as there`,
    )
    if (!rows[0]?.there) return false
    const users = await client.query('select 1 from users limit 1')
    return users.rows.length > 0
  })

/** Brings a backup into the database and the storage of the settings; the schema is there, empty. */
export const loadBackup = (settings: Settings, file: string): Promise<void> =>
  withParts(settings, async ({ client, storage }) => {
    const { header } = await inspectBackup(file)
    await runMigrations({ connectionString: String(settings.DATABASE_URL) })
    await load({ client, storage, file, header })
  })

type Parts = {
  client: pg.Client
  storage: ReturnType<typeof createStorage>
  env: ReturnType<typeof requireEnv>
}

async function withParts<T>(settings: Settings, work: (parts: Parts) => Promise<T>): Promise<T> {
  const env = requireEnv(settings)
  const storage = createStorage(env)
  const client = new pg.Client({ connectionString: env.DATABASE_URL, keepAlive: true })
  // What breaks the connection also breaks the statement that runs on it.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work({ client, storage, env })
  } finally {
    await Promise.all([client.end(), storage.stop?.()])
  }
}
