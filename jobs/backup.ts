import path from 'node:path'
import pg from 'pg'
import { runMigrations } from 'graphile-worker'
import { messageOf } from '~/lib/error-facts'
import { sendToBucket } from '~/platform/backups/bucket.server'
import { openSealed, sealedFile } from '~/platform/backups/sealing.server'
import { connectionProblem } from '~/platform/db/connection-problem'
import { requireEnv } from '~/platform/env.server'
import type { Settings } from '~/platform/settings'
import { StorageUnavailable } from '~/platform/storage/port'
import { s3Error } from '~/platform/storage/s3-errors'
import { createStorage } from '~/platform/storage/registry.server'
import { ArchiveError, readFirst, verifyArchive } from './backup/archive'
import { FORMAT, HEADER, headerSchema, SECRETS, secretsSchema } from './backup/format'
import { load } from './backup/load'
import { save, type Saved } from './backup/save'

// For scripts/backup.mjs and scripts/restore.mjs, which cannot import source. The message of an
// ArchiveError is meant for the operator.

/** Saves the installation that the settings describe to `file`. If `signal` is aborted, rejects and leaves no file. */
export const saveBackup = (settings: Settings, file: string, signal: AbortSignal): Promise<Saved> =>
  withParts(settings, ({ client, storage, env }) => {
    signal.throwIfAborted()
    // Also ends a statement that is running.
    signal.addEventListener('abort', () => void client.end())
    return save({ client, storage, env, file, signal })
  })

/**
 * Sends a copy of a backup to the bucket of the settings, encrypted to the operator's public key, and
 * returns its name there; null if the settings name no bucket.
 */
export async function sendBackup(settings: Settings, file: string): Promise<string | null> {
  const env = requireEnv(settings)
  const { BACKUP_S3_BUCKET: bucket, BACKUP_AGE_RECIPIENT: recipient } = env
  if (bucket === undefined || recipient === undefined) return null
  const name = `${path.basename(file)}.age`
  const to = {
    bucket,
    endpoint: env.BACKUP_S3_ENDPOINT,
    region: env.BACKUP_S3_REGION,
    accessKeyId: env.BACKUP_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.BACKUP_S3_SECRET_ACCESS_KEY ?? '',
    forcePathStyle: env.BACKUP_S3_FORCE_PATH_STYLE === 'true',
  }
  await sendToBucket(to, name, await sealedFile(file, recipient)).catch((error: unknown) => {
    const why = s3Error(error)
    const words = why instanceof StorageUnavailable ? why.what : messageOf(why)
    throw new ArchiveError(`The backup is whole, but its copy was not sent to the bucket: ${words}`)
  })
  return name
}

/** Decrypts a backup with the operator's key (AGE-SECRET-KEY-1…). Throws ArchiveError if it is not the right one. */
export async function decryptBackup(file: string, key: string, target: string): Promise<void> {
  await openSealed(file, key, target).catch((error: unknown) => {
    throw new ArchiveError(`${file} cannot be decrypted with this key: ${messageOf(error)}`)
  })
}

/** Verifies that a backup is complete and undamaged, and returns its header and secrets. */
export async function inspectBackup(file: string) {
  await verifyArchive(file)
  const header = headerSchema.parse(await readFirst(file, HEADER))
  if (header.format !== FORMAT) {
    throw new ArchiveError(`${file} was made by another version of the product: use that one.`)
  }
  return { header, secrets: secretsSchema.parse(await readFirst(file, SECRETS)) }
}

/**
 * Returns whether the database has users, whose data a restore would overwrite. An empty schema
 * does not count.
 */
export const holdsRows = (settings: Settings): Promise<boolean> =>
  withParts(settings, async ({ client }) => {
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('users') is not null as there`,
    )
    if (!rows[0]?.there) return false
    const users = await client.query('select 1 from users limit 1')
    return users.rows.length > 0
  })

/** Loads a backup into the configured database and storage. The schema must exist and be empty. */
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
  // A broken connection also rejects the statement that is running on it, so the event can be
  // ignored.
  client.on('error', () => undefined)
  await client.connect().catch((error: unknown) => {
    throw new ArchiveError(connectionProblem(error))
  })
  try {
    return await work({ client, storage, env })
  } finally {
    await Promise.all([client.end(), storage.stop?.()])
  }
}
