// `npm run backup -- FILE`: saves the installation of this folder (or of DATABASE_URL) to one file,
// whether it is running or not. `npm run backup -- --into FOLDER --keep N` names the file itself and
// removes all but the newest N. See docs/operations/backup.md.
import fs from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { prepareCommand, runCommand } from './lib/command.mjs'
import { StartError } from './lib/data-dir.mjs'
import { backupName, noteCopy, noteProblem, removeOldBackups } from './lib/nightly-backup.mjs'
import { reasonOf } from './lib/reason.mjs'
import { root } from './lib/root.mjs'
import { openInstallation } from './lib/start-up.mjs'

/**
 * The exit code if the file was written, but some clips were missing in the storage or differ
 * there.
 */
const INCOMPLETE = 3

/** @param {(() => Promise<unknown>)[]} undo */
async function main(undo) {
  const target = readArguments()
  const { file, folder } = target
  if (await fs.stat(file).catch(() => undefined)) {
    throw new StartError(`${file} is there already. Name another file, or remove this one first.`)
  }
  if (!folder) {
    await make(target, undo)
    return
  }
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  const env = await make(target, undo).then(
    async ({ missing, env }) => {
      const problem = `Files missing in the storage, or different from what was stored: ${missing}.`
      await noteProblem(folder, missing > 0 ? problem : undefined)
      return env
    },
    async (error) => {
      await noteProblem(folder, reasonOf(error))
      throw error
    },
  )
  await sendCopy(env, { file, folder })
}

/**
 * Sends a copy of the backup to the bucket, if the settings name one, and leaves in the folder what
 * became of it.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {{ file: string, folder: string }} target
 */
async function sendCopy(env, { file, folder }) {
  const { sendBackup } = await import(path.join(root, 'build/backup.js'))
  try {
    const sent = await sendBackup(env, file)
    if (sent === null) return
    await noteCopy(folder, undefined)
    console.log(`Sent to the bucket ${env.BACKUP_S3_BUCKET} as ${sent}, encrypted.`)
  } catch (error) {
    await noteCopy(folder, reasonOf(error))
    throw error
  }
}

/**
 * Makes the backup, and returns how many files of videos it lacks and the settings it was made with.
 *
 * @param {ReturnType<typeof readArguments>} target
 * @param {(() => Promise<unknown>)[]} undo
 */
async function make({ file, folder, keep }, undo) {
  await prepareCommand()
  const interrupted = new AbortController()
  undo.push(async () => interrupted.abort())
  const { env } = await openInstallation(undo)
  const { saveBackup } = await import(path.join(root, 'build/backup.js'))
  const { header, missing } = await saveBackup(env, file, interrupted.signal)
  const { size } = await fs.stat(file)
  /** @type {Record<string, number>} */
  const rows = Object.fromEntries(
    header.tables.map((/** @type {{ name: string, rows: number }} */ table) => [
      table.name,
      table.rows,
    ]),
  )
  console.log(
    `${file}: ${rows.users} users, ${rows.videos} videos and their files as of ${header.takenAt}; ` +
      `${(size / 1024 ** 2).toFixed(1)} MB, read back and whole. It holds the installation's secrets.`,
  )
  if (folder && keep) await removeOldBackups(folder, keep)
  if (missing.length === 0) return { missing: 0, env }
  process.exitCode = INCOMPLETE
  console.error(
    `Files missing in the storage, or different from what was stored: ${missing.length} (${missing.slice(0, 5).join(', ')})`,
  )
  return { missing: missing.length, env }
}

/** Reads the command line. Throws StartError. */
function readArguments() {
  const { values, positionals } = parsed()
  const [name] = positionals
  const keep = values.keep === undefined ? undefined : Number(values.keep)
  if (keep !== undefined && !(Number.isInteger(keep) && keep > 0 && values.into))
    throw new StartError('--keep is the number of backups to keep in the folder of --into.')
  if (values.into && !name) {
    const folder = path.resolve(values.into)
    return { file: path.join(folder, backupName(new Date())), folder, keep }
  }
  if (!name || values.into)
    throw new StartError(
      'Name the file (npm run backup -- /backups/reelmill.tar) or a folder (-- --into /backups --keep 7)',
    )
  return { file: path.resolve(name), folder: undefined, keep: undefined }
}

function parsed() {
  try {
    return parseArgs({
      options: { into: { type: 'string' }, keep: { type: 'string' } },
      allowPositionals: true,
    })
  } catch (error) {
    throw new StartError(reasonOf(error))
  }
}

await runCommand(main)
