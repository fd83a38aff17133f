import { stat } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { codeOf } from '~/lib/error-facts'
import { seconds } from '~/lib/time'
import { limited } from './limits'
import { FileMissing, StorageUnavailable, type Part, type VideoStorage } from './port'

/** Scratch files are on the same disk as finished files, so that a move is a rename. */
const SCRATCH = 'incoming'
/** The time limit for reading the free space: a network disk may hang. */
const CHECK_MS = seconds(5)

/** Storage in a folder of this machine. */
export function diskStorage(root: string): VideoStorage {
  const write = madeAtFirst(root)
  const freeBytes = () =>
    write(async () => {
      const { bavail, bsize } = await limited(CHECK_MS, () => fs.statfs(root))
      return bavail * bsize
    })
  return {
    commit: (scratchPath, key) =>
      write(async () => {
        const target = path.join(root, key)
        await syncToDisk(scratchPath)
        await makeFolder(path.dirname(target))
        // Never a copy: a copy would be visible before it is complete.
        await fs.rename(scratchPath, target)
        await syncToDisk(path.dirname(target))
      }),
    localPath: (key) => path.join(root, key),
    open: (key, part) =>
      orUnavailable(root, () => orMissing(key, () => openFile(path.join(root, key), part))),
    size: (key) =>
      orUnavailable(root, () =>
        orMissing(key, async () => (await statOf(path.join(root, key))).size),
      ),
    remove: (key) => orUnavailable(root, () => fs.rm(path.join(root, key), { force: true })),
    freeBytes,
    check: async () => {
      await freeBytes()
    },
    ...scratchOf(root, write),
  }
}

/** Returns the scratch file operations, which every storage does on this machine. */
export function scratchOf(
  root: string,
  write = madeAtFirst(root),
): Pick<VideoStorage, 'scratchPath' | 'removeOldScratch'> {
  const folder = path.join(root, SCRATCH)
  return {
    scratchPath: (name) =>
      write(async () => {
        await makeFolder(folder)
        return path.join(folder, path.basename(name))
      }),
    removeOldScratch: (olderThanMs, isWanted) =>
      write(async () => {
        await makeFolder(folder)
        for (const name of await fs.readdir(folder)) {
          const file = path.join(folder, name)
          const stat = await fs.stat(file).catch(() => undefined)
          const isOld = stat !== undefined && Date.now() - stat.mtimeMs > olderThanMs
          if (isOld && !(await isWanted(name))) await fs.rm(file, { force: true })
        }
      }),
  }
}

/**
 * Error codes of a disk that is broken, not mounted or denies access. A full disk is not one of
 * them.
 */
const UNREACHABLE_CODES = new Set([
  ...['EIO', 'ENXIO', 'ENODEV', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', 'ELOOP'],
  // Network file systems.
  ...['ESTALE', 'ENOTCONN', 'EHOSTDOWN', 'EHOSTUNREACH', 'ETIMEDOUT', 'EREMOTEIO'],
])

/** Creates a folder, unless it exists. The parent folder must exist. */
async function makeFolder(folder: string): Promise<void> {
  await fs.mkdir(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
}

/**
 * Returns a function that runs work which writes to a folder, and creates the folder before the
 * first run. If the folder disappears later it is not created again, because its disk may be
 * unmounted. The storage then counts as unavailable.
 */
function madeAtFirst(root: string): <T>(work: () => Promise<T>) => Promise<T> {
  let isMade = false
  return (work) =>
    orUnavailable(root, async () => {
      if (!isMade) await fs.mkdir(root, { recursive: true })
      isMade = true
      return work()
    })
}

/**
 * Runs work on the disk. Throws StorageUnavailable if the disk is broken, inaccessible or missing.
 */
async function orUnavailable<T>(root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = codeOf(error)
    const mayBeAway = error instanceof FileMissing || code === 'ENOENT'
    const isAway = UNREACHABLE_CODES.has(code) || (mayBeAway && !(await isThere(root)))
    throw isAway ? new StorageUnavailable(code || 'its folder is not there') : error
  }
}

const isThere = (root: string): Promise<boolean> =>
  fs.stat(root).then(
    () => true,
    () => false,
  )

/** Runs a read. Throws FileMissing if there is no file under the key. */
async function orMissing<T>(key: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? new FileMissing(key) : error
  }
}

/**
 * An archive stats thousands of files before its first byte; `fs.promises.stat` takes three times
 * as long.
 */
const statOf = promisify(stat)

/** Large enough that the disk, not the event loop, sets the speed. */
const CHUNK_BYTES = 1024 * 1024

/** Opens a file and returns a stream of it, or of a part of it. */
async function openFile(file: string, part: Part | undefined): Promise<Readable> {
  const handle = await fs.open(file, 'r')
  const place = part === undefined ? {} : { start: part.first, end: part.last }
  return handle.createReadStream({ ...place, highWaterMark: CHUNK_BYTES })
}

/** Syncs a file, or a folder's entries, to the disk. */
async function syncToDisk(target: string): Promise<void> {
  const handle = await fs.open(target, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
