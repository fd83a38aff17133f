import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ClipFile } from '~/platform/providers/port'
import type { VideoStorage } from '~/platform/storage/port'
import { filesOf } from '~/lib/poster-files'
import type { EngineCtx } from './context'
import type { StoredFile } from './settle.server'

type Digest = Pick<StoredFile, 'bytes' | 'sha256' | 'crc32'>

/** A clip that is being downloaded, in a local scratch file. */
export type IncomingClip = ClipFile & {
  path: string
  posterPath: string
  /** Whether an earlier try downloaded the complete clip. */
  isWhole: boolean
  digest: () => Digest
  /** Saves the downloaded bytes for the next try on this machine. */
  keep: (isWhole: boolean) => Promise<void>
  /** Closes and removes the scratch files. A file saved by `keep` is not removed. */
  discard: () => Promise<void>
}

type Names = { attemptId: string; leaseToken: string }

/**
 * Opens the scratch file of a clip. It contains the bytes that an earlier try saved, or is empty.
 * Each lease writes to its own file, so a process that lost its lease cannot corrupt the file of
 * its successor.
 */
export async function openIncoming(
  storage: VideoStorage,
  { attemptId, leaseToken }: Names,
): Promise<IncomingClip> {
  const path = await storage.scratchPath(`${leaseToken}.part`)
  const posterPath = await storage.scratchPath(`${leaseToken}.jpg`)
  const kept = await storage.scratchPath(`${attemptId}.clip`)
  const note = await storage.scratchPath(`${attemptId}.note`)
  const found = await takeKept({ kept, note, path })
  const file = await fs.open(path, 'a')
  let version = found?.version ?? null
  let meter = newMeter()
  if (found) for await (const chunk of createReadStream(path)) meter.add(bytesIn(chunk))
  return {
    path,
    posterPath,
    isWhole: found?.isWhole === true && meter.bytes() > 0,
    bytes: () => meter.bytes(),
    version: () => version,
    write: async (chunk) => {
      await file.appendFile(chunk)
      meter.add(chunk)
    },
    restart: async (next) => {
      await file.truncate(0)
      meter = newMeter()
      version = next
    },
    digest: () => meter.digest(),
    keep: async (isWhole) => {
      try {
        await fs.writeFile(note, JSON.stringify({ isWhole, version }))
        await fs.rename(path, kept)
      } catch {
        // The disk has no room for the note either. The clip will be downloaded again.
      }
    },
    discard: async () => {
      await file.close()
      const scratch = [path, ...filesOf(posterPath)]
      await Promise.all(scratch.map((name) => fs.rm(name, { force: true })))
    },
  }
}

/**
 * Returns a predicate that tells whether a scratch file belongs to an attempt that is still in
 * state `fetching`. All other scratch files are left over from finished steps.
 */
export async function keptClips({ db }: Pick<EngineCtx, 'db'>): Promise<(name: string) => boolean> {
  const rows = await db.rows<{ id: string }>(sql`select id from attempts where state = 'fetching'`)
  const ids = new Set(rows.map(({ id }) => id))
  return (name) => ids.has(name.split('.')[0] ?? '')
}

const bytesIn = (chunk: unknown): Uint8Array => {
  if (chunk instanceof Uint8Array) return chunk
  throw new TypeError('expected a chunk of bytes')
}

const keptNote = z.object({ isWhole: z.boolean(), version: z.string().nullable() })
type Kept = z.output<typeof keptNote>

/** Moves the file that an earlier try saved to this lease's path, where no other step finds it. */
async function takeKept({ kept, note, path }: Record<'kept' | 'note' | 'path', string>) {
  try {
    const about: Kept = keptNote.parse(JSON.parse(await fs.readFile(note, 'utf8')))
    await fs.rename(kept, path)
    await fs.rm(note, { force: true })
    return about
  } catch {
    // No file was saved, or it cannot be matched to this clip. The clip will be downloaded again.
    return null
  }
}

/** Computes length, SHA-256 and CRC-32 of the chunks added to it. */
function newMeter() {
  const hash = createHash('sha256')
  let bytes = 0
  let checksum = 0
  return {
    bytes: () => bytes,
    add: (chunk: Uint8Array) => {
      hash.update(chunk)
      checksum = crc32(chunk, checksum)
      bytes += chunk.length
    },
    digest: (): Digest => ({ bytes, sha256: hash.copy().digest('hex'), crc32: checksum }),
  }
}
