import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import { smallWebpOf, webpOf } from '~/lib/poster-files'
import { seconds } from '~/lib/time'
import { excerpt } from '~/lib/text'
import { FileMissing } from '~/platform/storage/port'
import type { EngineCtx } from '../videos/engine/context'
import { removeUnusedFiles } from '../videos/engine/remove-unused-files.server'
import { storageTrouble } from '../videos/engine/storage-trouble.server'
import { fileKeyOf, posterKeyOf } from './film-files'
import { followFilm } from './follow-film.server'
import {
  claimFilm,
  endFailed,
  endReady,
  isGone,
  listSources,
  mayWrite,
  postpone,
  type FilmRun,
  type FilmSource,
} from './film-run.server'
import { DIFFERENT_SETTINGS } from './rules'
import { openScratch, removeScratchOf, type RunScratch } from './run-scratch.server'

/** A film whose worker ended this often while it was being made is given up. */
const MOST_RUNS = 10
/** Until a storage that is full or away is tried again. */
const STORAGE_PAUSE_MS = seconds(30)
const CANNOT_BE_READ = 'These clips could not be joined.'

/** The film cannot be made. The message is for its owner. */
class FilmFailure extends Error {}
/** The film cannot be stored now. */
class NoRoom extends Error {}
/** Another worker has taken the film over, or it was deleted. */
class FilmLost extends Error {}
/** A clip was replaced while it was being read. */
class ClipsChanged extends Error {}

/**
 * Joins the clips of a film, checks the file and stores it. If the process is killed, the job runs
 * again from the beginning and replaces what was stored. Does nothing for a film that has ended; of
 * one that was deleted it removes the file.
 */
export async function joinFilm(ctx: EngineCtx, filmId: string): Promise<void> {
  const film = await claimFilm(ctx, filmId)
  if (film === null) return removeIfGone(ctx, filmId)
  if (film.previous !== null) await removeScratchOf(ctx.storage, film.previous)
  if (film.runs > MOST_RUNS) return endFailed(ctx, film, CANNOT_BE_READ)
  const follow = followFilm(ctx, film)
  try {
    await makeFilm(ctx, { film, signal: follow.signal, onCopied: follow.onCopied })
  } catch (error) {
    await failed(ctx, { film, error, isLost: follow.isLost() })
  } finally {
    follow.end()
  }
}

type Making = { film: FilmRun; signal: AbortSignal; onCopied: (clips: number) => void }

async function makeFilm(ctx: EngineCtx, making: Making): Promise<void> {
  const { film } = making
  const sources = await listSources(ctx, film.filmId)
  await requireRoom(ctx, sources)
  const scratch = await openScratch(ctx.storage, film.run)
  try {
    const { lostSound } = await join(ctx, { ...making, sources, scratch })
    const stored = await checkAndStore(ctx, { ...making, scratch })
    const file = { ...stored, lostSound, clips: sources.length }
    if (!(await endReady(ctx, film, file))) await removeIfGone(ctx, film.filmId)
  } finally {
    await scratch.discard()
  }
}

/** Throws if the film would not leave the reserve free (reliability rule R13). */
async function requireRoom(
  { storage, settings: { reserveBytes } }: EngineCtx,
  sources: readonly FilmSource[],
): Promise<void> {
  const free = await storage.freeBytes()
  const bytes = sources.reduce((sum, source) => sum + source.bytes, 0)
  if (free !== null && reserveBytes > 0 && free - bytes < reserveBytes) throw new NoRoom()
}

type Joining = Making & { sources: readonly FilmSource[]; scratch: RunScratch }

async function join(ctx: EngineCtx, { film, signal, onCopied, sources, scratch }: Joining) {
  const paths: string[] = []
  for (const source of sources) {
    if (source.fileKey === null) throw deleted(source)
    paths.push(await scratch.bring(source.fileKey, source.place, signal))
  }
  const end = await ctx.joinClips({ paths, target: scratch.film, onCopied, signal })
  if (end.kind === 'joined') return end
  if (end.kind === 'no-room') throw new NoRoom()
  if (end.kind === 'different') throw new FilmFailure(DIFFERENT_SETTINGS)
  await requireSame(ctx, film.filmId, sources)
  ctx.log.warn({ filmId: film.filmId, reason: end.reason }, 'clips could not be joined')
  throw new FilmFailure(CANNOT_BE_READ)
}

const deleted = ({ prompt }: FilmSource) =>
  new FilmFailure(`A clip was deleted before it was joined: “${excerpt(prompt, 80)}”`)

/** A clip that cannot be read may have been replaced or removed since the run began. */
async function requireSame(ctx: EngineCtx, filmId: string, before: readonly FilmSource[]) {
  const now = await listSources(ctx, filmId)
  if (now.some(({ fileKey }, index) => fileKey !== before[index]?.fileKey)) throw new ClipsChanged()
}

/** Checks the file as a delivered clip is checked, and stores it with its poster. */
async function checkAndStore(
  ctx: EngineCtx,
  { film, signal, scratch }: Making & { scratch: RunScratch },
) {
  const inspection = await ctx.inspectClip({
    path: scratch.film,
    posterPath: scratch.poster,
    signal,
  })
  if (!inspection.ok) {
    ctx.log.error({ filmId: film.filmId, reason: inspection.reason }, 'a joined file is broken')
    throw new FilmFailure(CANNOT_BE_READ)
  }
  const { facts } = inspection
  const digest = await digestOf(scratch.film)
  signal.throwIfAborted()
  // A worker that stood still must not replace the file that another one has stored since.
  if (!(await mayWrite(ctx, film))) throw new FilmLost()
  const posterKey = facts.poster ? posterKeyOf(film.filmId) : null
  if (posterKey !== null) {
    for (const name of [webpOf, smallWebpOf])
      await ctx.storage.commit(name(scratch.poster), name(posterKey))
    await ctx.storage.commit(scratch.poster, posterKey)
  }
  const fileKey = fileKeyOf(film.filmId)
  await ctx.storage.commit(scratch.film, fileKey)
  return { fileKey, posterKey, durationMs: Math.round(facts.durationMs), ...digest }
}

async function digestOf(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  const { size: bytes } = await fs.stat(file)
  // A stream without an encoding yields buffers.
  const chunks: AsyncIterable<Buffer> = createReadStream(file)
  for await (const chunk of chunks) hash.update(chunk)
  return { bytes, sha256: hash.digest('hex') }
}

type Failed = { film: FilmRun; error: unknown; isLost: boolean }

async function failed(ctx: EngineCtx, { film, error, isLost }: Failed): Promise<void> {
  if (isLost || error instanceof FilmLost) return removeIfGone(ctx, film.filmId)
  if (error instanceof FilmFailure) return endFailed(ctx, film, error.message)
  if (error instanceof ClipsChanged || error instanceof FileMissing) {
    return postpone(ctx, film, { delayMs: seconds(1), counts: true })
  }
  if (ctx.signal.aborted) return postpone(ctx, film, { delayMs: 0, counts: false })
  if (!(error instanceof NoRoom) && storageTrouble(error) === undefined) throw error
  ctx.log.error({ filmId: film.filmId, err: error }, 'a film could not be stored')
  await postpone(ctx, film, { delayMs: STORAGE_PAUSE_MS, counts: false })
}

/** Removes what a run has stored of a film that was deleted meanwhile. */
async function removeIfGone(ctx: EngineCtx, filmId: string): Promise<void> {
  if (!(await isGone(ctx, filmId))) return
  await removeUnusedFiles(ctx, [fileKeyOf(filmId), posterKeyOf(filmId)])
}
