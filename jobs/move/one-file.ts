import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { FileMissing, nullIfMissing, type VideoStorage } from '~/platform/storage/port'
import { hashing, hashOf } from '../sha256'

/** A file that rows stand for. Only clips have a hash. Older posters have no WebPs. */
export type StoredFile = { key: string; sha256: string | null; mayBeMissing: boolean }
export type Result = { outcome: 'done' | 'skipped' | 'missing' | 'damaged'; bytes: number }
export type Places = { from: VideoStorage; to: VideoStorage; reserveBytes: number }

/** The copy of a file would leave less free space than the settings reserve. */
export class NoRoom extends Error {}

const nothingDone = (outcome: Result['outcome']): Result => ({ outcome, bytes: 0 })

/**
 * Copies a file and reads the copy back. A file of the same size in the target counts as copied,
 * because both storages show a file only when it is complete. A copy that differs is removed.
 */
export async function copyFile(file: StoredFile, places: Places): Promise<Result> {
  const [size, copied] = [await sizeOf(places.from, file.key), await sizeOf(places.to, file.key)]
  if (copied !== null && (size === null || size === copied)) return nothingDone('skipped')
  return size === null ? nothingDone('missing') : copyAnyway(file, size, places)
}

async function copyAnyway(
  { key, sha256 }: StoredFile,
  bytes: number,
  { from, to, reserveBytes }: Places,
): Promise<Result> {
  const free = await to.freeBytes()
  if (free !== null && free - bytes < reserveBytes) throw new NoRoom()
  const scratch = await to.scratchPath(`move-${randomUUID()}`)
  try {
    const { through, digest } = hashing()
    await pipeline(await from.open(key), through, createWriteStream(scratch))
    const original = digest()
    if (sha256 !== null && original !== sha256) return nothingDone('damaged')
    await to.commit(scratch, key)
    if ((await storedHash(to, key)) === original) return { outcome: 'done', bytes }
    await to.remove(key)
    return nothingDone('damaged')
  } catch (error) {
    // The user deleted the video, or emptied the trash, in the meantime.
    if (error instanceof FileMissing) return nothingDone('missing')
    throw error
  } finally {
    await fs.rm(scratch, { force: true })
  }
}

/**
 * Removes the original of a file whose copy has the same bytes, and as stored where that is known. A copy
 * that is not there or differs is first made again.
 */
export async function removeOldFile(file: StoredFile, places: Places): Promise<Result> {
  const { from, to } = places
  const size = await sizeOf(from, file.key)
  const copy = await storedHash(to, file.key)
  if (size === null) return nothingDone(copy === null ? 'missing' : 'skipped')
  if (copy === null || copy !== (file.sha256 ?? (await storedHash(from, file.key)))) {
    const again = await copyAnyway(file, size, places)
    if (again.outcome !== 'done') return again
  }
  await from.remove(file.key)
  return { outcome: 'done', bytes: size }
}

const sizeOf = (storage: VideoStorage, key: string): Promise<number | null> =>
  nullIfMissing(() => storage.size(key))

async function storedHash(storage: VideoStorage, key: string): Promise<string | null> {
  const bytes = await nullIfMissing(() => storage.open(key))
  return bytes && hashOf(bytes)
}
