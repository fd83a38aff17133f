import fs from 'node:fs/promises'
import path from 'node:path'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { VideoStorage } from './port'

/** Scratch files share the disk with the finished ones, so that moving one is a rename. */
const SCRATCH = 'incoming'

/** Storage in a folder of this machine. */
export function diskStorage(root: string): VideoStorage {
  const disk = new Disk(new FSDriver({ location: root, visibility: 'private' }))
  return {
    scratchPath: async (name) => {
      await fs.mkdir(path.join(root, SCRATCH), { recursive: true })
      return path.join(root, SCRATCH, path.basename(name))
    },
    commit: async (scratchPath, key) => {
      const target = path.join(root, key)
      await syncToDisk(scratchPath)
      await fs.mkdir(path.dirname(target), { recursive: true })
      // The driver's own move copies, and a copy can be seen half made.
      await fs.rename(scratchPath, target)
      await syncToDisk(path.dirname(target))
    },
    localPath: (key) => path.join(root, key),
    open: (key) => disk.getStream(key),
    exists: (key) => disk.exists(key),
    remove: (key) => disk.delete(key),
    removeOldScratch: async (olderThanMs) => {
      const folder = path.join(root, SCRATCH)
      await fs.mkdir(folder, { recursive: true })
      for (const name of await fs.readdir(folder)) {
        const file = path.join(folder, name)
        const stat = await fs.stat(file).catch(() => undefined)
        if (stat && Date.now() - stat.mtimeMs > olderThanMs) await fs.rm(file, { force: true })
      }
    },
    freeBytes: async () => {
      await fs.mkdir(root, { recursive: true })
      const { bavail, bsize } = await fs.statfs(root)
      return bavail * bsize
    },
  }
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
