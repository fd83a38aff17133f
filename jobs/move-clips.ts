import { codeOf } from '~/lib/error-facts'
import { requireEnv } from '~/platform/env.server'
import { StorageUnavailable } from '~/platform/storage/port'
import { createStorage } from '~/platform/storage/registry.server'
import { readStorageEnv, type StorageEnv } from '~/platform/storage/settings.server'
import { copyFile, NoRoom, removeOldFile } from './move/one-file'
import { moveFiles, type Counts } from './move/all-files'
import { runProgram, say } from './program'

// `npm run move -- s3|file [--remove-old]`: copies all clips and posters between the folder and the
// bucket. With --remove-old it removes the originals of verified copies instead.

const USAGE =
  'Name the target: npm run move -- s3 (or file). Add --remove-old to remove the originals afterwards.'

/** A reason for which nothing can be done; the message is for the operator. */
class MoveError extends Error {}

type Place = StorageEnv['STORAGE']
type Plan = { target: Place; isRemoval: boolean }

function readArguments(given: string[]): Plan {
  const options = given.filter((word) => word.startsWith('-'))
  const [target, ...others] = given.filter((word) => !word.startsWith('-'))
  if (others.length > 0 || options.some((option) => option !== '--remove-old')) {
    throw new MoveError(USAGE)
  }
  if (target !== 's3' && target !== 'file') throw new MoveError(USAGE)
  return { target, isRemoval: options.length > 0 }
}

/** Opens both storages, whichever the product uses. */
function openStorages(dataDir: string) {
  const read = readStorageEnv({ ...process.env, STORAGE: 's3' })
  if (!read.ok) throw new MoveError(read.problems.join('\n'))
  const open = (kind: Place) => createStorage({ ...read.env, STORAGE: kind, DATA_DIR: dataDir })
  return { file: open('file'), s3: open('s3') }
}

function report(counts: Counts, { target, isRemoval }: Plan): void {
  const { done, bytes, skipped, missing, damaged } = counts
  const size = `${(bytes / 1024 ** 2).toFixed(1)} MB`
  say(
    isRemoval
      ? `${done} files (${size}) removed from the old place; ${skipped} were not there.`
      : `${done} files (${size}) copied and read back; ${skipped} were there already.`,
  )
  if (missing.length > 0) say(`${missing.length} are in neither place: ${some(missing)}`)
  if (damaged.length > 0) say(`${damaged.length} differ from what was stored: ${some(damaged)}`)
  if (missing.length + damaged.length > 0) process.exitCode = 1
  else if (!isRemoval) say(`Everything is in the new place. STORAGE=${target} uses it.`)
}

const some = (keys: string[]) => keys.slice(0, 5).join(', ') + (keys.length > 5 ? ', …' : '')

async function main(): Promise<void> {
  const env = requireEnv(process.env)
  const plan = readArguments(process.argv.slice(2))
  if (plan.isRemoval && env.STORAGE !== plan.target) {
    throw new MoveError(
      `The product still uses STORAGE=${env.STORAGE}. Set STORAGE=${plan.target} and restart web and worker first.`,
    )
  }
  const storages = openStorages(env.DATA_DIR)
  try {
    const { s3, file } = storages
    const [from, to] = plan.target === 's3' ? [file, s3] : [s3, file]
    const reserveBytes = env.STORAGE_RESERVE_MB * 1024 ** 2
    const work = plan.isRemoval ? removeOldFile : copyFile
    await runProgram('move', async ({ deps }) =>
      report(await moveFiles(deps.db, { from, to, reserveBytes, work, say }), plan),
    )
  } finally {
    await storages.s3.stop?.()
  }
}

try {
  await main()
} catch (error) {
  const isFull = error instanceof NoRoom || codeOf(error) === 'ENOSPC'
  if (error instanceof MoveError) say(error.message)
  else if (error instanceof StorageUnavailable) {
    say(`${error.message}. Nothing is lost: the same command continues where this one ended.`)
  } else if (isFull)
    say(
      'The disk is full, or STORAGE_RESERVE_MB would not be left. Make room; the same command then continues.',
    )
  else throw error
  process.exitCode = 1
}
