import { stat } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { seconds } from '~/lib/time'
import { limited } from './limits'
import { FileMissing, StorageUnavailable, type Part, type VideoStorage } from './port'

/** Scratch files share the disk with the finished ones, so that moving one is a rename. */
const SCRATCH = 'incoming'
/** A disk on another machine may hang; so long it is asked for its free space. */
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
        // Never a copy, which can be seen half made.
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

/** What every storage does on this machine: files that are still being written. */
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

/** What a disk says that is broken, not mounted any more, or closed to us. A full one is none of it. */
const UNREACHABLE_CODES = new Set([
  ...['EIO', 'ENXIO', 'ENODEV', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', 'ELOOP'],
  // Folders of another machine.
  ...['ESTALE', 'ENOTCONN', 'EHOSTDOWN', 'EHOSTUNREACH', 'ETIMEDOUT', 'EREMOTEIO'],
])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Makes a folder whose parent is there. */
async function makeFolder(folder: string): Promise<void> {
  await fs.mkdir(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
}

/**
 * Runs work that writes to a folder, which is made once. One that goes away afterwards is away, and not made again:
 * it may be a disk that is not mounted.
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

/** Does something with the disk and says so when the disk is away: broken, closed to us, or not there. */
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

/** Runs a read of a key and says so when nothing lies there. */
async function orMissing<T>(key: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? new FileMissing(key) : error
  }
}

/** An archive looks at thousands of files before its first byte; `fs.promises` takes thrice the time. */
const statOf = promisify(stat)

/** Large enough that the disk, not the event loop, sets the speed. */
const CHUNK_BYTES = 1024 * 1024

/** The file, or a part of it, once it has been opened. */
async function openFile(file: string, part: Part | undefined): Promise<Readable> {
  const handle = await fs.open(file, 'r')
  const place = part === undefined ? {} : { start: part.first, end: part.last }
  return handle.createReadStream({ ...place, highWaterMark: CHUNK_BYTES })
}

/** Forces a file, or the names in a folder, to the disk. */
async function syncToDisk(target: string): Promise<void> {
  const handle = await fs.open(target, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
