import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { BackupCopy, BackupState, ReadBackups } from './port'

// scripts/lib/nightly-backup.mjs writes these files, and cannot import source.
const NAME = /^reelmill-\d{8}T\d{6}Z\.tar$/
const PROBLEM = 'last-problem.txt'
const COPY = 'last-copy.json'

/** What is left of sending the newest backup to a bucket. */
const copyNote = z.object({
  sentAt: z.string().datetime().nullable(),
  problem: z.string().nullable(),
})

/** Creates the reader of BACKUP_DIR. The folder itself is read: a file that is gone is no backup. */
export const createReadBackups = (folder: string | undefined, hasBucket: boolean): ReadBackups =>
  folder === undefined ? null : () => readFolder(path.resolve(folder), hasBucket)

async function readFolder(folder: string, hasBucket: boolean): Promise<BackupState> {
  const names = await fs.readdir(folder)
  const name = names
    .filter((entry) => NAME.test(entry))
    .sort()
    .at(-1)
  const textOf = (entry: string) =>
    names.includes(entry) ? fs.readFile(path.join(folder, entry), 'utf8') : null
  const [newest, problem, copy] = await Promise.all([
    name === undefined ? null : sizeAndAge(path.join(folder, name)),
    textOf(PROBLEM),
    hasBucket ? textOf(COPY) : null,
  ])
  return { newest, problem: problem?.trim() ?? null, copy: hasBucket ? readCopy(copy) : null }
}

function readCopy(text: string | null): BackupCopy {
  if (text === null) return { ageSeconds: null, problem: null }
  const { sentAt, problem } = copyNote.parse(JSON.parse(text))
  return { ageSeconds: sentAt === null ? null : secondsSince(Date.parse(sentAt)), problem }
}

async function sizeAndAge(file: string) {
  const { size, mtimeMs } = await fs.stat(file)
  return { bytes: size, ageSeconds: secondsSince(mtimeMs) }
}

const secondsSince = (ms: number): number => Math.max(0, Math.floor((Date.now() - ms) / 1000))
