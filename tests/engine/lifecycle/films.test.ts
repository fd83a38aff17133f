import { once } from 'node:events'
import fs from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import type { UserCtx } from '../../../app/domain/context'
import { findFilm, orderFilm } from '../../../app/domain/films/film.server'
import { filmKeysOf, getFilmFile } from '../../../app/domain/films/film-files.server'
import { deleteVideo } from '../../../app/domain/videos/requests/delete-videos.server'
import { newId } from '../../../app/lib/ids'
import { hours, minutes } from '../../../app/lib/time'
import { StorageUnavailable } from '../../../app/platform/storage/port'
import { attempt } from '../../support/engine/actions'
import { useEngine } from '../../support/engine/shared-engine'
import { addClips, endOfFilm } from '../../support/film-clips'
import { test } from '../../support/slow'

const away = { is: false }
const remote = { is: false }
/** Joins wait for it. */
let gate: Promise<unknown> = Promise.resolve()
const engine = useEngine({
  deps: ({ storage, joinClips }) => ({
    storage: {
      ...storage,
      commit: (from, key) =>
        away.is ? Promise.reject(new StorageUnavailable('test')) : storage.commit(from, key),
      localPath: (key) => (remote.is ? null : storage.localPath(key)),
    },
    joinClips: async (input) => {
      await gate
      return joinClips(input)
    },
  }),
})

/** Adds clips of so many seconds: those of the same length have the same bytes. */
const clipsOf = async (owner: UserCtx, lengths: readonly number[] = [1, 2]) =>
  addClips(
    { db: engine.pool, dataDir: engine.dataDir },
    owner.actor.id,
    lengths.map((seconds) => ({ seconds, prompt: `A swan of ${seconds}` })),
  )

const newsOf = async (owner: UserCtx, ids: readonly string[]) => (await findFilm(owner, ids))?.news

async function joined(owner: UserCtx, ids: readonly string[]) {
  await orderFilm(owner, ids)
  const news = await endOfFilm(owner, ids)
  if (news.state !== 'ready') throw new Error(JSON.stringify(news))
  return news
}

const stored = (name: string) => path.join(engine.dataDir, 'videos', name)
const isThere = (owner: UserCtx, filmId: string) =>
  fs.stat(stored(filmKeysOf(owner, filmId).withSound)).then(
    () => true,
    () => false,
  )
const scratch = () => fs.readdir(stored('incoming'))
const clipFile = (id: string) => stored(`${id.slice(-2)}/${id}.mp4`)

test('U-JOIN-15: a film whose file was lost is joined again at the next look', async () => {
  const owner = await engine.user()
  const ids = await clipsOf(owner)
  const { filmId, bytes } = await joined(owner, ids)
  const { key } = await getFilmFile(owner, filmId)
  const before = await fs.readFile(stored(key))
  await engine.clock.move(minutes(30))
  await engine.deps.storage.remove(key)
  expect(await newsOf(owner, ids)).toEqual({ state: 'waiting' })
  expect(await endOfFilm(owner, ids)).toEqual({ state: 'ready', filmId, bytes, lostSound: false })
  // With the same bytes, so that a download that broke off goes on.
  expect(await fs.readFile(stored(key))).toEqual(before)
  // Its hour counts from then.
  await engine.clock.move(minutes(59))
  await engine.drain()
  expect(await isThere(owner, filmId)).toBe(true)
})

test('U-JOIN-16: a film is kept for an hour after it was joined', async () => {
  const owner = await engine.user()
  const ids = await clipsOf(owner)
  const { filmId } = await joined(owner, ids)
  await engine.clock.move(minutes(59))
  await engine.drain()
  expect(await isThere(owner, filmId)).toBe(true)
  await engine.clock.move(minutes(2))
  await engine.drain()
  expect(await isThere(owner, filmId)).toBe(false)
  expect(await attempt(() => getFilmFile(owner, filmId))).toBe('NOT_FOUND')
})

test('U-JOIN-17: nothing of a film stays after its account was deleted', async () => {
  const owner = await engine.user()
  const ids = await clipsOf(owner)
  const { filmId } = await joined(owner, ids)
  await deleteUser(await engine.admin(), owner.actor.id)
  await engine.settle()
  await engine.clock.move(hours(1))
  await engine.drain()
  expect(await isThere(owner, filmId)).toBe(false)
  expect(await attempt(() => orderFilm(owner, ids))).toBe('NOT_FOUND')
})

test('U-JOIN-19: while the storage is away a film fails in words, and can be ordered again', async () => {
  const owner = await engine.user()
  const ids = await clipsOf(owner)
  away.is = true
  await orderFilm(owner, ids)
  expect(await endOfFilm(owner, ids)).toEqual({
    state: 'failed',
    reason: 'Our storage for videos could not be reached. Try again in a few minutes.',
  })
  away.is = false
  // Looking at it begins nothing.
  expect(await newsOf(owner, ids)).toMatchObject({ state: 'failed' })
  expect(await joined(owner, ids)).toMatchObject({ state: 'ready' })
})

test('U-JOIN-20: clips that are stored elsewhere are copied here first, and removed', async () => {
  const owner = await engine.user()
  const ids = await clipsOf(owner)
  remote.is = true
  expect(await joined(owner, ids)).toMatchObject({ state: 'ready' })
  remote.is = false
  expect(await scratch()).toEqual([])
})

test('U-JOIN-21: a clip that cannot be read fails its film in words, and no other one', async () => {
  const owner = await engine.user()
  const [one = '', two = '', three = ''] = await clipsOf(owner, [1, 2, 3])
  const bytes = await fs.readFile(clipFile(two))
  await fs.writeFile(clipFile(two), bytes.subarray(0, 1000))
  await Promise.all([orderFilm(owner, [one, two]), orderFilm(owner, [one, three])])
  const news = [await endOfFilm(owner, [one, two]), await endOfFilm(owner, [one, three])]
  await fs.writeFile(clipFile(two), bytes)
  expect(news).toEqual([
    { state: 'failed', reason: 'These clips could not be joined.' },
    expect.objectContaining({ state: 'ready' }),
  ])
})

test('U-JOIN-13: a film that failed leaves no file, and what a killed server left is removed after an hour', async () => {
  const owner = await engine.user()
  const ids = await clipsOf(owner)
  const left = await engine.deps.storage.scratchPath('killed.film')
  await fs.writeFile(left, 'a part of a film')
  const longAgo = new Date(Date.now() - hours(2))
  await fs.utimes(left, longAgo, longAgo)
  const before = await fs.readdir(stored(''), { recursive: true })
  away.is = true
  await orderFilm(owner, ids)
  await endOfFilm(owner, ids)
  away.is = false
  const after = await fs.readdir(stored(''), { recursive: true })
  expect(after.sort()).toEqual(before.filter((name) => !name.endsWith('killed.film')).sort())
})

test('U-JOIN-23: a clip that is deleted or replaced before its turn is joined as it is then, or not at all', async () => {
  const owner = await engine.user()
  const [one = '', two = '', three = '', four = ''] = await clipsOf(owner, [1, 2, 3, 4])
  const opening = new AbortController()
  gate = once(opening.signal, 'abort')
  await orderFilm(owner, [one, two])
  await orderFilm(owner, [one, three])
  await orderFilm(owner, [two, four])
  expect(await newsOf(owner, [one, two])).toEqual({ state: 'working', clipsDone: 0 })
  expect(await newsOf(owner, [one, three])).toEqual({ state: 'waiting' })
  await deleteVideo(owner, three)
  // As a regeneration does.
  const file = newId()
  const fileKey = `${file.slice(-2)}/${file}.mp4`
  await fs.mkdir(path.dirname(clipFile(file)), { recursive: true })
  await fs.copyFile(clipFile(one), clipFile(file))
  await fs.rm(clipFile(four))
  await engine.pool.query(
    `update videos set (file_key, file_bytes, file_sha256, duration_ms) =
       (select $2, file_bytes, file_sha256, duration_ms from videos where id = $3) where id = $1`,
    [four, fileKey, one],
  )
  opening.abort()
  expect(await endOfFilm(owner, [one, three])).toEqual({
    state: 'failed',
    reason: 'A clip was deleted before it was joined: “A swan of 3”',
  })
  const film = await endOfFilm(owner, [two, four])
  expect(film).toEqual(await joined(owner, [two, one]))
})
