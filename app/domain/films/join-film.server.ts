import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { newId } from '~/lib/ids'
import { hours } from '~/lib/time'
import { nullIfMissing, type VideoStorage } from '~/platform/storage/port'
import type { UserCtx } from '../context'
import { keptClips } from '../videos/engine/clip-file.server'
import { storageTrouble } from '../videos/engine/storage-trouble.server'
import { readVideos, type StoredVideo } from './chosen-clips.server'
import { filmKeysOf, type FilmKeys } from './film-files.server'
import { DIFFERENT_SETTINGS } from './rules'

/** Long enough that a download that broke off goes on. */
const KEPT_MS = hours(1)

const CANNOT_BE_READ = 'These clips could not be joined.'
const FAILURES = {
  different: DIFFERENT_SETTINGS,
  space: 'There is no room for this film at the moment. Try again later.',
  storage: 'Our storage for videos could not be reached. Try again in a few minutes.',
  unexpected: 'These clips could not be joined because of an error on our side. Try again.',
} as const

export type FilmOrder = {
  videos: readonly StoredVideo[]
  filmId: string
  /** Called after each clip with the number of clips copied so far. */
  onCopied: (clips: number) => void
}

/**
 * Joins clips and stores the file, which a job removes an hour later. Returns why it failed, in words for the
 * user, or null: the file is stored, or a clip was deleted or replaced meanwhile. Never throws.
 */
export async function joinFilm(ctx: UserCtx, order: FilmOrder): Promise<string | null> {
  try {
    return await makeFilm(ctx, order)
  } catch (error) {
    ctx.log.error({ filmId: order.filmId, err: error }, 'a film could not be joined')
    return FAILURES[storageTrouble(error) ?? 'unexpected']
  }
}

async function makeFilm(ctx: UserCtx, { videos, filmId, onCopied }: FilmOrder) {
  const { storage } = ctx
  if (await haveChanged(ctx, videos)) return null
  if (!(await hasRoom(ctx, videos))) return FAILURES.space
  // A process that was killed leaves its files, also on a machine without a worker.
  await storage.removeOldScratch(hours(1), await keptClips(ctx))
  const scratch = await openScratch(storage)
  try {
    const paths = await nullIfMissing(() => scratch.bring(videos))
    const end =
      paths === null
        ? ({ kind: 'unreadable', reason: 'a file is missing' } as const)
        : await ctx.joinClips({ paths, target: scratch.film, onCopied })
    if (end.kind === 'different') return FAILURES.different
    if (end.kind === 'no-room') return FAILURES.space
    if (end.kind === 'unreadable') {
      if (await haveChanged(ctx, videos)) return null
      ctx.log.warn({ filmId, reason: end.reason }, 'clips could not be joined')
      return CANNOT_BE_READ
    }
    const keys = filmKeysOf(ctx, filmId)
    await removeLater(ctx, keys)
    await storage.commit(scratch.film, end.lostSound ? keys.silent : keys.withSound)
    return null
  } finally {
    await scratch.discard()
  }
}

/** Returns whether a clip was deleted or replaced since it was read. */
async function haveChanged(
  { db, actor }: UserCtx,
  before: readonly StoredVideo[],
): Promise<boolean> {
  const ids = before.map(({ id }) => id)
  const now = await readVideos(db, actor.id, { ids, sort: 'as given' })
  const keysOf = (videos: readonly StoredVideo[]) =>
    videos.map(({ fileKey, isDeleted }) => (isDeleted ? null : fileKey)).join()
  return now === null || keysOf(now) !== keysOf(before)
}

/** Returns whether the film leaves the reserve free (reliability rule R13). */
async function hasRoom(
  { storage, settings: { reserveBytes } }: UserCtx,
  videos: readonly StoredVideo[],
): Promise<boolean> {
  const free = await storage.freeBytes()
  const bytes = videos.reduce((sum, video) => sum + video.bytes, 0)
  return free === null || reserveBytes === 0 || free - bytes >= reserveBytes
}

/**
 * Adds the job that removes a film, before its file is stored: a process that is killed then leaves none for
 * ever. A film that is joined again has its hour from then.
 */
const removeLater = ({ db, queue }: UserCtx, keys: FilmKeys): Promise<void> =>
  db.transaction((tx) =>
    queue.add(tx, [
      {
        name: 'videos.purge',
        payload: { keys: Object.values(keys) },
        key: `film:${keys.withSound}`,
        delayMs: KEPT_MS,
      },
    ]),
  )

/** Names the scratch files of one run, so that no two write to one file. */
async function openScratch(storage: VideoStorage) {
  const run = newId()
  const film = await storage.scratchPath(`${run}.film`)
  const copies: string[] = []
  return {
    film,
    /** Returns the paths of the clips on this machine. Those that are stored elsewhere are copied here first. */
    bring: async (videos: readonly StoredVideo[]) => {
      const paths: string[] = []
      for (const [place, { fileKey }] of videos.entries()) {
        const key = fileKey ?? ''
        const copy = storage.localPath(key) ?? (await storage.scratchPath(`${run}.${place}.clip`))
        paths.push(copy)
        if (storage.localPath(key) !== null) continue
        copies.push(copy)
        await pipeline(await storage.open(key), createWriteStream(copy))
      }
      return paths
    },
    discard: () => Promise.all([film, ...copies].map((name) => fs.rm(name, { force: true }))),
  }
}
