import { setTimeout as sleep } from 'node:timers/promises'
import { BEFORE_ALL_IDS } from '~/lib/ids'
import { limitConcurrency } from '~/lib/limit-concurrency.server'
import { seconds } from '~/lib/time'
import type { Db } from '~/platform/db/port'
import { StorageUnavailable } from '~/platform/storage/port'
import { filesOf } from '~/lib/poster-files'
import type { Places, Result, StoredFile } from './one-file'

export type Counts = {
  done: number
  bytes: number
  skipped: number
  missing: string[]
  damaged: string[]
}

type Move = Places & {
  work: (file: StoredFile, places: Places) => Promise<Result>
  say: (text: string) => void
}

const VIDEOS_AT_ONCE = 500
const FILES_AT_ONCE = 4
/** Pauses before a file is tried again while a storage is unavailable. */
const PAUSES = [1, 2, 4, 8, 15, 30].map(seconds)

/**
 * Does `work` for every clip, poster and picture that rows name, in the order of their videos, including
 * videos in the trash. Throws StorageUnavailable if a storage stays away for a minute.
 */
export async function moveFiles(db: Db, { work, say, ...places }: Move): Promise<Counts> {
  const counts: Counts = { done: 0, bytes: 0, skipped: 0, missing: [], damaged: [] }
  const limited = limitConcurrency(FILES_AT_ONCE)
  await Promise.all([places.from.check(), places.to.check()])
  // After the first error nothing more is begun or waited for.
  const stop = new AbortController()
  const one = (file: StoredFile) =>
    limited(() => patiently(() => work(file, places), stop.signal)).catch((error: unknown) => {
      stop.abort(error)
      throw error
    })
  for await (const files of allFiles(db)) {
    const results = files.map(async (file) => ({ file, result: await one(file) }))
    for (const { file, result } of await Promise.all(results)) {
      counts.bytes += result.bytes
      if (result.outcome === 'done' || result.outcome === 'skipped') counts[result.outcome]++
      else if (result.outcome === 'damaged') counts.damaged.push(file.key)
      else if (!file.mayBeMissing) counts.missing.push(file.key)
    }
    say(`${counts.done + counts.skipped} files so far`)
  }
  return counts
}

async function* allFiles(db: Db): AsyncGenerator<StoredFile[]> {
  yield* storedFiles(db)
  yield* storedPictures(db)
}

/**
 * Yields the pictures of videos and drafts. The others may have no file, and are removed, unless their
 * twin is in use.
 */
async function* storedPictures(db: Db): AsyncGenerator<StoredFile[]> {
  let after = BEFORE_ALL_IDS
  for (;;) {
    const rows = await db.prisma(({ orderPicture }) =>
      orderPicture.findMany({
        where: { id: { gt: after }, OR: IN_USE },
        select: { id: true, fileKey: true, sha256: true, twinId: true },
        orderBy: { id: 'asc' },
        take: VIDEOS_AT_ONCE,
      }),
    )
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    yield rows.map(({ fileKey, sha256, twinId }) => ({
      key: fileKey,
      sha256,
      mayBeMissing: twinId !== null,
    }))
  }
}

/** A picture without a video or draft may be the twin of one that has. */
const IN_USE = [
  { videos: { some: {} } },
  { portraitDrafts: { some: {} } },
  { landscapeDrafts: { some: {} } },
  { twinId: { not: null } },
]

/** Yields the files of some videos at a time, each key once, so that memory stays bounded. */
async function* storedFiles(db: Db): AsyncGenerator<StoredFile[]> {
  let after = BEFORE_ALL_IDS
  for (;;) {
    const rows = await db.prisma(({ video }) =>
      video.findMany({
        where: {
          id: { gt: after },
          OR: [{ fileKey: { not: null } }, { posterKey: { not: null } }],
        },
        select: { id: true, fileKey: true, fileSha256: true, posterKey: true },
        orderBy: { id: 'asc' },
        take: VIDEOS_AT_ONCE,
      }),
    )
    const last = rows.at(-1)
    if (!last) break
    after = last.id
    const files = rows.flatMap(filesIn)
    // Videos of the demo data share their files.
    yield [...new Map(files.map((file) => [file.key, file])).values()]
  }
}

type Keys = { fileKey: string | null; fileSha256: string | null; posterKey: string | null }

const filesIn = ({ fileKey, fileSha256: sha256, posterKey }: Keys): StoredFile[] => [
  ...(fileKey === null ? [] : [{ key: fileKey, sha256, mayBeMissing: false }]),
  ...(posterKey === null ? [] : filesOf(posterKey)).map((key) => ({
    key,
    sha256: null,
    mayBeMissing: key !== posterKey,
  })),
]

async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pause of PAUSES) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
      await sleep(pause, undefined, { signal })
    }
  }
  return work()
}
