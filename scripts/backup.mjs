// `npm run backup -- FILE`: saves the installation of this folder (or of DATABASE_URL) to one file,
// whether it is running or not. See docs/operations/backup.md.
import fs from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from './lib/command.mjs'
import { StartError } from './lib/data-dir.mjs'
import { loadEnvFile } from './lib/env-file.mjs'
import { root } from './lib/root.mjs'
import { openInstallation } from './lib/start-up.mjs'
import { checkNode, ensureBuilt, ensureInstalled } from './lib/state.mjs'

/**
 * The exit code if the file was written, but some clips were missing in the storage or differ
 * there.
 */
const INCOMPLETE = 3

/** @param {(() => Promise<unknown>)[]} undo */
async function main(undo) {
  const [name] = process.argv.slice(2)
  if (!name) throw new StartError('Name the file: npm run backup -- /backups/reelmill.tar')
  const file = path.resolve(name)
  if (await fs.stat(file).catch(() => undefined)) {
    throw new StartError(`${file} is there already. Name another file, or remove this one first.`)
  }
  checkNode()
  await loadEnvFile()
  await ensureInstalled({ keepsStale: true })
  await ensureBuilt()
  const { env } = await openInstallation(undo)
  const { saveBackup } = await import(path.join(root, 'build/backup.js'))
  const { header, missing } = await saveBackup(env, file)
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
  if (missing.length === 0) return
  process.exitCode = INCOMPLETE
  console.error(
    `${missing.length} files that videos name are missing in the storage, or differ from what was stored: ${missing.slice(0, 5).join(', ')}`,
  )
}

await runCommand(main)
