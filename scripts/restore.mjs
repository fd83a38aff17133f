// `npm run restore -- FILE`: loads a backup into the empty installation that the settings describe:
// the embedded database or DATABASE_URL, files or S3. See docs/operations/backup.md.
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { prepareCommand, runCommand } from './lib/command.mjs'
import { storeSecrets, StartError } from './lib/data-dir.mjs'
import { root } from './lib/root.mjs'
import { openInstallation } from './lib/start-up.mjs'

// On a new machine the packages may be missing at first, so what needs them is imported where it is used.

/**
 * Returns the migrations that make the schema of a backup. Throws StartError if this version lacks them.
 *
 * @param {string[]} saved
 */
async function migrationsOf(saved) {
  const { compareMigrations, TOO_OLD } = await import('./lib/migrate.mjs')
  const { known, unknown, isTooOld } = await compareMigrations(saved)
  if (isTooOld) throw new StartError(`This backup is ${TOO_OLD}`)
  if (unknown.length === 0) return known
  throw new StartError(
    `This backup was made by a newer version of the product (it has ${unknown.join(', ')}). Restore it with that version.`,
  )
}

/**
 * Takes over the backup's secrets, without which the saved rows cannot be read. With the embedded
 * database, replaces the secrets stored in its folder, which is known to be empty by now.
 *
 * @param {NodeJS.ProcessEnv} env @param {Record<string, string>} secrets @param {string} dataDir
 */
async function takeOverSecrets(env, secrets, dataDir) {
  if (process.env.DATABASE_URL) return
  await storeSecrets(dataDir, secrets)
  for (const [name, saved] of Object.entries(secrets)) env[name] = process.env[name] ?? saved
}

/**
 * Throws StartError if secrets that the operator sets do not contain those of the backup, or, with a
 * database of the operator's own, are not set.
 *
 * @param {Record<string, string>} secrets @param {string} file as the operator named it
 */
function requireSecrets(secrets, file) {
  const isEmbedded = !process.env.DATABASE_URL
  const chosen = Object.entries(secrets).filter(([name]) => !isEmbedded || process.env[name])
  const parts = (/** @type {string | undefined} */ list = '') =>
    list.split(',').map((s) => s.trim())
  const others = chosen.filter(
    ([name, saved]) => !parts(saved).every((part) => parts(process.env[name]).includes(part)),
  )
  if (others.length > 0) {
    throw new StartError(
      `${others.map(([name]) => name).join(' and ')} must contain the value of the backup. It is in: ${toReadSecrets(file)}`,
    )
  }
}

/** Returns the command that prints the secrets of a backup. @param {string} file */
const toReadSecrets = (file) =>
  file.endsWith('.age')
    ? `age -d -i KEYFILE ${file} | tar -xO secrets.json`
    : `tar -xOf ${file} secrets.json`

/**
 * Creates the schema as it was when the backup was made. Later migrations run after the rows are
 * loaded.
 *
 * @param {NodeJS.ProcessEnv} env @param {string[]} migrations
 */
async function makeSchema(env, migrations) {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-schema-'))
  try {
    const source = path.join(root, 'prisma')
    await fs.copyFile(path.join(source, 'schema.prisma'), path.join(dir, 'schema.prisma'))
    for (const name of migrations) {
      await fs.cp(path.join(source, 'migrations', name), path.join(dir, 'migrations', name), {
        recursive: true,
      })
    }
    const { deployMigrations } = await import('./lib/prisma.mjs')
    await deployMigrations(String(env.DATABASE_URL), ['--schema', path.join(dir, 'schema.prisma')])
  } finally {
    await fs.rm(dir, { recursive: true, force: true })
  }
}

/**
 * Returns the backup itself, or the decrypted copy of one that is encrypted (.age), which is removed
 * at the end. Asks for the key, unless AGE_KEY_FILE names its file.
 *
 * @param {string} file @param {(() => Promise<unknown>)[]} undo
 */
async function readable(file, undo) {
  if (!file.endsWith('.age')) return file
  await fs.access(file)
  const key = await readKey()
  const { decryptBackup } = await import(path.join(root, 'build/backup.js'))
  const dir = await fs.mkdtemp(path.join(path.dirname(file), 'reelmill-restore-'))
  undo.push(() => fs.rm(dir, { recursive: true, force: true }))
  const copy = path.join(dir, path.basename(file, '.age'))
  await decryptBackup(file, key, copy)
  return copy
}

/** Reads the operator's key from its file or the terminal. Throws StartError. */
async function readKey() {
  const { AGE_KEY_FILE } = process.env
  const text = AGE_KEY_FILE ? await fs.readFile(AGE_KEY_FILE, 'utf8') : await askForKey()
  const key = /AGE-SECRET-KEY-1\w+/.exec(text)?.[0]
  if (!key) throw new StartError('The key of an encrypted backup begins with AGE-SECRET-KEY-1.')
  return key
}

async function askForKey() {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = terminal.question('The key of this backup (AGE-SECRET-KEY-1…): ')
    // Without a terminal the input ends, and the question would never be answered.
    const closed = new Promise((resolve) => terminal.once('close', () => resolve('')))
    return String(await Promise.race([answer, closed]))
  } finally {
    terminal.close()
  }
}

/** @param {(() => Promise<unknown>)[]} undo */
async function main(undo) {
  const [name] = process.argv.slice(2)
  if (!name) throw new StartError('Name the file: npm run restore -- /backups/reelmill.tar')
  await prepareCommand()
  const { inspectBackup, holdsRows, loadBackup } = await import(path.join(root, 'build/backup.js'))
  const file = await readable(path.resolve(name), undo)
  const { header, secrets } = await inspectBackup(file)
  const migrations = await migrationsOf(header.migrations)
  requireSecrets(secrets, name)
  const { env, settings, place } = await openInstallation(undo, { alone: true })
  if (await holdsRows(env)) {
    throw new StartError(
      `There are users in ${place} already. A backup is restored into an empty place: name another DATABASE_URL or DATA_DIR.`,
    )
  }
  await takeOverSecrets(env, secrets, settings.DATA_DIR)
  await makeSchema(env, migrations)
  await loadBackup(env, file)
  const { migrate } = await import('./lib/migrate.mjs')
  await migrate(env)
  console.log(
    `Restored into ${place}, as of ${header.takenAt}. Work resumes at the next start. ` +
      'Orders placed with the provider after that time are unknown to this installation.',
  )
}

await runCommand(main)
