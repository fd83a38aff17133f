import { stat } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import { FileMissing, type Part, type VideoStorage } from './port'

/** Scratch files share the disk with the finished ones, so that moving one is a rename. */
const SCRATCH = 'incoming'

/** Storage in a folder of this machine. */
export function diskStorage(root: string): VideoStorage {
  const disk = new Disk(new FSDriver({ location: root, visibility: 'private' }))
  return {
    commit: async (scratchPath, key) => {
      const target = path.join(root, key)
      await syncToDisk(scratchPath)
      await fs.mkdir(path.dirname(target), { recursive: true })
      // The driver's own move copies, and a copy can be seen half made.
      await fs.rename(scratchPath, target)
      await syncToDisk(path.dirname(target))
    },
    localPath: (key) => path.join(root, key),
    open: (key, part) => readOf(key, () => openFile(path.join(root, key), part)),
    size: (key) => readOf(key, async () => (await statOf(path.join(root, key))).size),
    exists: (key) => disk.exists(key),
    remove: (key) => disk.delete(key),
    freeBytes: async () => {
      await fs.mkdir(root, { recursive: true })
      const { bavail, bsize } = await fs.statfs(root)
      return bavail * bsize
    },
    ...scratchOf(root),
  }
}

/** What every storage does on this machine: files that are still being written. */
export function scratchOf(root: string): Pick<VideoStorage, 'scratchPath' | 'removeOldScratch'> {
  const folder = path.join(root, SCRATCH)
  return {
    scratchPath: async (name) => {
      await fs.mkdir(folder, { recursive: true })
      return path.join(folder, path.basename(name))
    },
    removeOldScratch: async (olderThanMs) => {
      await fs.mkdir(folder, { recursive: true })
      for (const name of await fs.readdir(folder)) {
        const file = path.join(folder, name)
        const stat = await fs.stat(file).catch(() => undefined)
        if (stat && Date.now() - stat.mtimeMs > olderThanMs) await fs.rm(file, { force: true })
      }
    },
  }
}

/** Runs a read of a key and says so when nothing lies there. */
async function readOf<T>(key: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw isMissing ? new FileMissing(key) : error
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
