import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ClipFile } from '~/platform/providers/port'
import type { VideoStorage } from '~/platform/storage/port'
import type { EngineCtx } from './context'
import type { StoredFile } from './settle.server'

type Digest = Pick<StoredFile, 'bytes' | 'sha256' | 'crc32'>

/** A clip on its way into the storage, in a file of this machine. */
export type IncomingClip = ClipFile & {
  path: string
  posterPath: string
  /** All of it has come, by an earlier try. */
  isWhole: boolean
  digest: () => Digest
  /** Keeps what has come for the next try, on this machine. */
  keep: (isWhole: boolean) => Promise<void>
  /** Removes it; after `keep` only what is not kept. */
  discard: () => Promise<void>
}

type Names = { attemptId: string; leaseToken: string }

/**
 * Opens the file of a clip: the one that an earlier try kept, or an empty one. Each lease writes to a
 * file of its own, so that a process which lost its lease cannot spoil what its successor writes.
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
        // A disk that has no room for the note either: the clip is fetched anew.
      }
    },
    discard: async () => {
      await file.close()
      await Promise.all([path, posterPath].map((name) => fs.rm(name, { force: true })))
    },
  }
}

/** Which scratch files hold a clip that is waited for; the others are of steps that are over. */
export async function keptClips({ db }: Pick<EngineCtx, 'db'>): Promise<(name: string) => boolean> {
  const rows = await db.rows<{ id: string }>(sql`select id from attempts where state = 'fetching'`)
  const ids = new Set(rows.map(({ id }) => id))
  return (name) => ids.has(name.split('.')[0] ?? '')
}

const bytesIn = (chunk: unknown): Uint8Array => {
  if (chunk instanceof Uint8Array) return chunk
  throw new TypeError('a file gave something else than bytes')
}

const keptNote = z.object({ isWhole: z.boolean(), version: z.string().nullable() })
type Kept = z.output<typeof keptNote>

/** Takes what an earlier try kept: from now on it is this lease's, and nobody else finds it. */
async function takeKept({ kept, note, path }: Record<'kept' | 'note' | 'path', string>) {
  try {
    const about: Kept = keptNote.parse(JSON.parse(await fs.readFile(note, 'utf8')))
    await fs.rename(kept, path)
    await fs.rm(note, { force: true })
    return about
  } catch {
    // Nothing was kept, or nothing that can be told apart from another clip: it is fetched anew.
    return null
  }
}

/** Measures what passes: length, SHA-256 and CRC-32. */
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
