import { createHash } from 'node:crypto'
import { nullIfMissing } from '~/platform/storage/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'

/**
 * Returns the id of a film: the same for the same clips in the same order. `version` is the product's,
 * because another one may write other bytes.
 */
export const filmIdOf = (sha256s: readonly (string | null)[], version: string): string =>
  createHash('sha256')
    .update([version, ...sha256s].join(' '))
    .digest('hex')
    .slice(0, 32)

/** Where the file of a film is, with the sound of its clips or without. */
export type FilmKeys = { withSound: string; silent: string }

/** Returns where the actor's film is, if it is stored. Nobody else's is looked for there. */
export function filmKeysOf({ actor }: UserCtx, filmId: string): FilmKeys {
  const name = `${filmId.slice(-2)}/${actor.id}-${filmId}`
  return { withSound: `${name}.mp4`, silent: `${name}-silent.mp4` }
}

/** The file of a film. `lostSound`: the clips had sound that it has not. */
export type FilmFile = { key: string; bytes: number; lostSound: boolean }

/** Looks for the file of the actor's film. Throws StorageUnavailable. */
export async function findFilmFile(ctx: UserCtx, filmId: string): Promise<FilmFile | null> {
  const { withSound, silent } = filmKeysOf(ctx, filmId)
  for (const key of [withSound, silent]) {
    const bytes = await nullIfMissing(() => ctx.storage.size(key))
    if (bytes !== null) return { key, bytes, lostSound: key === silent }
  }
  return null
}

/** Returns the file of the actor's film. Throws NOT_FOUND, also once its hour is over, and StorageUnavailable. */
export async function getFilmFile(ctx: UserCtx, filmId: string): Promise<FilmFile> {
  const file = /^[0-9a-f]{32}$/.test(filmId) ? await findFilmFile(ctx, filmId) : null
  if (file === null) throw noSuchFilm()
  return file
}

/** Returns the NOT_FOUND error for a film, whether it never existed, is gone or belongs to another user. */
export const noSuchFilm = (): AppError =>
  new AppError('NOT_FOUND', 'This film is not there any more. Join its clips again.')
