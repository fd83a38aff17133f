import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { isoText } from '../iso-text.server'
import { removeFilms } from './remove-films.server'
import type { FilmView } from './types'

/** Returns the NOT_FOUND error for a film, whether it never existed or belongs to another user. */
export const noSuchFilm = (): AppError => new AppError('NOT_FOUND', 'This film does not exist')

/** Lists the actor's films, newest first. */
export const listFilms = ({ db, actor, settings }: UserCtx): Promise<FilmView[]> =>
  db.rows<FilmView>(sql`
    select id, name, aspect_ratio as "aspectRatio", state, clips_done::int as "clipsDone", file_bytes as bytes,
      (select count(*)::int from film_clips where film_id = films.id) as clips,
      duration_ms as "durationMs", poster_key is not null as "hasPoster",
      lost_sound as "lostSound", reason, ${isoText(sql`created_at`)} as "createdAt",
      ${isoText(sql`ended_at + make_interval(days => ${settings.keptDays.films}::int)`)} as "keptUntil"
    from films where user_id = ${actor.id} order by created_at desc, id desc`)

/** A film's files, and the name of a download. */
export type StoredFilm = {
  fileKey: string
  posterKey: string | null
  sha256: string
  name: string
}

/** Returns where the files of one of the actor's films are. Throws NOT_FOUND if it is not ready. */
export async function getStoredFilm({ db, actor }: UserCtx, id: string): Promise<StoredFilm> {
  const film = isId(id)
    ? await db.row<StoredFilm>(sql`
        select file_key as "fileKey", poster_key as "posterKey", file_sha256 as sha256, name
        from films where id = ${id} and user_id = ${actor.id} and state = 'ready'
          and file_key is not null and file_sha256 is not null`)
    : undefined
  if (!film) throw noSuchFilm()
  return film
}

/**
 * Deletes one of the actor's films and its file, also while it is being made. Its clips stay. Throws
 * NOT_FOUND.
 */
export async function deleteFilm({ db, queue, actor }: UserCtx, id: string): Promise<void> {
  if (!isId(id)) throw noSuchFilm()
  const which = sql`films.id = ${id} and films.user_id = ${actor.id}`
  const count = await db.transaction((tx) => removeFilms(tx, queue, which))
  if (count === 0) throw noSuchFilm()
}
