import fs from 'node:fs/promises'
import path from 'node:path'
import type { BackupState, ReadBackups } from './port'

// scripts/lib/nightly-backup.mjs writes these files, and cannot import source.
const NAME = /^reelmill-\d{8}T\d{6}Z\.tar$/
const PROBLEM = 'last-problem.txt'

/** Creates the reader of BACKUP_DIR. The folder itself is read: a file that is gone is no backup. */
export const createReadBackups = (folder: string | undefined): ReadBackups =>
  folder === undefined ? null : () => readFolder(path.resolve(folder))

async function readFolder(folder: string): Promise<BackupState> {
  const names = await fs.readdir(folder)
  const name = names
    .filter((entry) => NAME.test(entry))
    .sort()
    .at(-1)
  const [newest, problem] = await Promise.all([
    name === undefined ? null : sizeAndAge(path.join(folder, name)),
    names.includes(PROBLEM) ? fs.readFile(path.join(folder, PROBLEM), 'utf8') : null,
  ])
  return { newest, problem: problem?.trim() ?? null }
}

async function sizeAndAge(file: string) {
  const { size, mtimeMs } = await fs.stat(file)
  return { bytes: size, ageSeconds: Math.max(0, Math.floor((Date.now() - mtimeMs) / 1000)) }
}
