import { createReadStream, createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'
import { z } from 'zod'
import { hashing, hashOf } from '../sha256'

// A backup is one tar file: `tar -tf` lists it, and every part can be extracted by hand. Its last
// entry contains the hashes of all others, so that a truncated or changed file is detected.

const MANIFEST = 'manifest.json'
const manifestSchema = z.object({ sha256: z.record(z.string()) })

/** Thrown for a file that is not a backup or is damaged. The message is for the operator. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

export type Archive = {
  /** Adds one entry. `size` must be exact. Rejects with the stream's own errors. */
  add: (name: string, size: number, bytes: Readable) => Promise<{ sha256: string }>
  /** Adds a small entry as JSON. */
  addJson: (name: string, value: unknown) => Promise<void>
  /** Adds the hashes and resolves when everything is on the disk. */
  finish: () => Promise<void>
  abandon: () => Promise<void>
}

/**
 * Creates an archive. It contains secrets, so only its owner may read it. After `signal` is aborted,
 * every call rejects.
 */
export function createArchive(file: string, signal: AbortSignal): Archive {
  const pack = tar.pack()
  const target = createWriteStream(file, { mode: 0o600, flush: true })
  const written = pipeline(pack, target, { signal })
  // The error is handled where `written` is awaited: in `finish`, or by an entry that cannot
  // continue.
  written.catch(() => undefined)
  const sha256: Record<string, string> = {}
  const add: Archive['add'] = async (name, size, bytes) => {
    const { through, digest } = hashing()
    const entry = pack.entry({ name, size })
    await Promise.race([
      pipeline(bytes, through, entry),
      // A full disk ends the archive while an entry is waiting for space.
      written.then(() => Promise.reject(new Error('the archive ended early'))),
    ])
    return { sha256: (sha256[name] = digest()) }
  }
  const addBytes = (name: string, bytes: Buffer) => add(name, bytes.length, Readable.from([bytes]))
  const addJson: Archive['addJson'] = async (name, value) => {
    await addBytes(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`))
  }
  return {
    add,
    addJson,
    finish: async () => {
      await addJson(MANIFEST, { sha256 })
      pack.finalize()
      await written
    },
    abandon: async () => {
      pack.destroy()
      await written.catch(() => undefined)
    },
  }
}

/**
 * Calls `onEntry` for the entries in order, until `isEnough` returns true. Bytes that `onEntry` leaves
 * unread are skipped.
 */
export async function readArchive(
  file: string,
  onEntry: (name: string, bytes: Readable) => Promise<void>,
  { isEnough = () => false, signal }: { isEnough?: () => boolean; signal?: AbortSignal } = {},
): Promise<void> {
  const extract = tar.extract()
  const fed = pipeline(createReadStream(file), extract, { signal })
  fed.catch(() => undefined)
  try {
    for await (const entry of extract) {
      // A Node stream, because the library's own kind does not always end with an error.
      const bytes = Readable.from(entry)
      await onEntry(entry.header.name, bytes)
      if (isEnough()) return
      bytes.resume()
      for await (const _rest of bytes);
    }
    await fed
  } catch (error) {
    if (isOfArchive(error)) {
      throw new ArchiveError(`${file} is no backup, or only a part of one (${error.message}).`)
    }
    throw error
  }
}

/** Whether an error is about the archive's content. Errors of the file system have a path. */
const isOfArchive = (error: unknown): error is Error =>
  error instanceof Error && !('path' in error) && /tar|header|Unexpected end/i.test(error.message)

/**
 * Reads the whole file and compares every entry with its hash. Throws ArchiveError if one differs.
 */
export async function verifyArchive(file: string, signal?: AbortSignal): Promise<void> {
  const found: Record<string, string> = {}
  let expected: Record<string, string> | undefined
  const onEntry = async (name: string, bytes: Readable) => {
    if (name === MANIFEST) expected = manifestSchema.parse(await readJson(bytes)).sha256
    else found[name] = await hashOf(bytes)
  }
  await readArchive(file, onEntry, { ...(signal && { signal }) })
  if (!expected) throw new ArchiveError(`${file} is no backup, or only a part of one.`)
  const names = new Set([...Object.keys(expected), ...Object.keys(found)])
  const wrong = [...names].filter((name) => expected?.[name] !== found[name])
  if (wrong.length > 0) {
    throw new ArchiveError(`${file} is damaged: ${wrong.slice(0, 5).join(', ')}.`)
  }
}

/** Reads and parses a small JSON entry. */
export async function readJson(bytes: Readable): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(z.instanceof(Buffer).parse(chunk))
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/** Returns the first entry called `name`, parsed, and reads no further. Throws ArchiveError if there is none. */
export async function readFirst(file: string, name: string): Promise<unknown> {
  let first: unknown
  await readArchive(
    file,
    async (found, bytes) => {
      if (found === name) first = await readJson(bytes)
    },
    { isEnough: () => first !== undefined },
  )
  if (first === undefined) throw new ArchiveError(`${file} is no backup: it has no ${name}.`)
  return first
}

/** Renames a finished file to its final name. A file with that name is always complete. */
export const publish = (draft: string, file: string): Promise<void> => fs.rename(draft, file)
