import { limitInTurns } from '~/lib/limit-concurrency.server'
import { excerpt } from '~/lib/text'
import { hours } from '~/lib/time'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { noSuchVideo } from '../videos/queries.server'
import { chosenOf, readVideos, type StoredVideo } from './chosen-clips.server'
import { filmIdOf, filmKeysOf, findFilmFile } from './film-files.server'
import { joinFilm } from './join-film.server'
import { FILM_LIMITS, refusalOf } from './rules'
import type { Chosen, FilmNews } from './types'

/** Joins of one web process at once, each in a child process. One user has one at a time. */
const limit = limitInTurns(2)

type Join = {
  userId: string
  /** Null: it has ended. Then the file is there, or has to be joined again. */
  news: Exclude<FilmNews, { state: 'ready' }> | null
  done: Promise<void>
}

/**
 * The joins of this process in the last hour, by the key of their file. Another process, or this one after a
 * restart, does not know them and joins the same clips to the same file, so that any of them may be asked.
 */
const joins = new Map<string, Join>()

/**
 * Joins the actor's own clips to one file, in the order of `ids`, unless it is there. Costs no quota. Throws
 * NOT_FOUND for a video that is not the actor's own, BAD_INPUT for clips that do not fit, and CONFLICT if a
 * video has no clip or the actor has joined too many films.
 */
export async function orderFilm(ctx: UserCtx, ids: readonly string[]): Promise<void> {
  const videos = await readVideos(ctx.db, ctx.actor.id, { ids, sort: 'as given' })
  if (videos === null || videos.some(({ isDeleted }) => isDeleted)) throw noSuchVideo()
  if (videos.some(({ fileKey }) => fileKey === null))
    throw new AppError('CONFLICT', 'One of these videos has no clip now')
  const refusal = refusalOf(videos)
  if (refusal !== null) throw new AppError('BAD_INPUT', refusal)
  const { withSound: key } = filmKeysOf(ctx, idOf(ctx, videos))
  // Whoever orders again what has failed wants another try.
  if (joins.get(key)?.news?.state === 'failed') joins.delete(key)
  const news = await newsOf(ctx, videos)
  if (news.state === 'failed') throw new AppError('CONFLICT', news.reason)
}

/** A film that was ordered, and its clips. */
export type Film = Chosen & { news: FilmNews }

/**
 * Returns how far a film is, and joins it if nobody has: the process that did may have been restarted, and the
 * file is removed after an hour. Returns null if a clip is not the actor's own.
 */
export async function findFilm(ctx: UserCtx, ids: readonly string[]): Promise<Film | null> {
  const videos = await readVideos(ctx.db, ctx.actor.id, { ids, sort: 'as given' })
  if (videos === null) return null
  const chosen = chosenOf(videos)
  const refusal = chosen.unfinished === 0 ? refusalOf(chosen.clips) : null
  return {
    ...chosen,
    news: refusal === null ? await newsOf(ctx, videos) : { state: 'failed', reason: refusal },
  }
}

const idOf = ({ settings }: UserCtx, videos: readonly StoredVideo[]): string =>
  filmIdOf(
    videos.map(({ sha256 }) => sha256),
    settings.version,
  )

async function newsOf(ctx: UserCtx, videos: readonly StoredVideo[]): Promise<FilmNews> {
  const filmId = idOf(ctx, videos)
  const known = joins.get(filmKeysOf(ctx, filmId).withSound)?.news
  if (known) return known
  const file = await findFilmFile(ctx, filmId)
  if (file) return { state: 'ready', filmId, bytes: file.bytes, lostSound: file.lostSound }
  const missing = videos.find(({ fileKey, isDeleted }) => isDeleted || fileKey === null)
  if (missing) return { state: 'failed', reason: reasonOf(missing) }
  return begin(ctx, videos, filmId)
}

const reasonOf = ({ isDeleted, prompt }: StoredVideo): string =>
  isDeleted
    ? `A clip was deleted before it was joined: “${excerpt(prompt, 80)}”`
    : 'One of these videos has no clip now'

function begin(ctx: UserCtx, videos: readonly StoredVideo[], filmId: string): FilmNews {
  const { withSound: key } = filmKeysOf(ctx, filmId)
  const userId = ctx.actor.id
  // Another request may have begun it since.
  const known = joins.get(key)?.news
  if (known) return known
  joins.delete(key)
  const own = [...joins.values()].filter(
    (join) => join.userId === userId && join.news?.state !== 'failed',
  )
  if (own.length >= FILM_LIMITS.mostKept) return { state: 'failed', reason: TOO_MANY }
  const join: Join = { userId, news: { state: 'waiting' }, done: Promise.resolve() }
  joins.set(key, join)
  const onCopied = (clipsDone: number) => {
    join.news = { state: 'working', clipsDone }
  }
  const work = async () => {
    onCopied(0)
    const reason = await joinFilm(ctx, { videos, filmId, onCopied })
    join.news = reason === null ? null : { state: 'failed', reason }
  }
  const turn = Promise.all(own.map(({ done }) => done))
  join.done = turn
    .then(() => limit({ lane: 0, caller: userId }, work))
    .finally(() => setTimeout(() => joins.get(key) === join && joins.delete(key), hours(1)).unref())
  return { state: 'waiting' }
}

const TOO_MANY = `You have joined ${FILM_LIMITS.mostKept} films in the last hour. Download them, and join another one later.`
