import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { filesOf } from '~/lib/poster-files'
import type { VideoStorage } from '~/platform/storage/port'

/** The scratch files of one run. Each run writes to its own, so that no two write to one file. */
export type RunScratch = {
  film: string
  poster: string
  /** Returns a clip's path on this machine. If it is stored elsewhere, copies it here first. */
  bring: (fileKey: string, place: number, signal: AbortSignal) => Promise<string>
  discard: () => Promise<void>
}

/** Names the scratch files of a run. */
export async function openScratch(storage: VideoStorage, run: string): Promise<RunScratch> {
  const film = await storage.scratchPath(`${run}.film`)
  const poster = await storage.scratchPath(`${run}.jpg`)
  const brought: string[] = []
  return {
    film,
    poster,
    bring: async (fileKey, place, signal) => {
      const local = storage.localPath(fileKey)
      if (local !== null) return local
      const copy = await storage.scratchPath(`${run}.${place}.clip`)
      brought.push(copy)
      await pipeline(await storage.open(fileKey), createWriteStream(copy), { signal })
      return copy
    },
    discard: async () => {
      const files = [film, ...filesOf(poster), ...brought]
      await Promise.all(files.map((name) => fs.rm(name, { force: true })))
    },
  }
}

/** Removes the scratch files of a run whose process has ended, if they are on this machine. */
export async function removeScratchOf(storage: VideoStorage, run: string): Promise<void> {
  await (await openScratch(storage, run)).discard()
}
