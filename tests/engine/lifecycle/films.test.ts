import fs from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import { purgeTrashedUsers } from '../../../app/domain/administration/users/user-trash.server'
import type { UserCtx } from '../../../app/domain/context'
import { createFilm } from '../../../app/domain/films/create-film.server'
import { deleteFilm, listFilms } from '../../../app/domain/films/own-films.server'
import { sweepFilms } from '../../../app/domain/films/sweep-films.server'
import { removeOld } from '../../../app/domain/retention/remove-old.server'
import { purgeTrash } from '../../../app/domain/videos/requests/trash.server'
import { newId } from '../../../app/lib/ids'
import { days, hours, minutes } from '../../../app/lib/time'
import { StorageUnavailable } from '../../../app/platform/storage/port'
import { useEngine } from '../../support/engine/shared-engine'
import { addClips } from '../../support/film-clips'
import { slowTest, test } from '../../support/slow'

const away = { is: false }
const remote = { is: false }
const engine = useEngine({
  deps: ({ storage }) => ({
    storage: {
      ...storage,
      commit: (from, key) =>
        away.is ? Promise.reject(new StorageUnavailable('test')) : storage.commit(from, key),
      localPath: (key) => (remote.is ? null : storage.localPath(key)),
    },
  }),
})

type Row = { state: string; runs: number; file_key: string | null; reason: string | null }
async function filmOf(id: string): Promise<Row | undefined> {
  const { rows } = await engine.pool.query<Row>('select * from films where id = $1', [id])
  return rows[0]
}

const fileOf = (id: string) => path.join(engine.dataDir, 'videos', id.slice(-2), `${id}.mp4`)
const isThere = (id: string) =>
  fs.stat(fileOf(id)).then(
    () => true,
    () => false,
  )

async function startFilm(user?: UserCtx) {
  const owner = user ?? (await engine.user())
  const place = { db: engine.pool, dataDir: engine.dataDir }
  const ids = await addClips(place, owner.actor.id, [{}, {}])
  const filmId = newId()
  await createFilm(owner, { filmId, name: 'A film', ids })
  return { owner, ids, filmId }
}

slowTest('U-JOIN-15: a film whose job was lost is found by the sweep, in its turn', async () => {
  const { filmId } = await startFilm()
  await engine.pool.query('delete from graphile_worker._private_jobs')
  await engine.drain()
  expect(await filmOf(filmId)).toMatchObject({ state: 'waiting' })
  expect(await sweepFilms(engine.deps)).toBe(0)
  await engine.clock.move(minutes(2))
  expect(await sweepFilms(engine.deps)).toBe(1)
  await engine.drain()
  expect(await filmOf(filmId)).toMatchObject({ state: 'ready', runs: 1 })
})

test('U-JOIN-16: a film and its file are removed seven days after it was ready', async () => {
  const { owner, filmId } = await startFilm()
  await engine.drain()
  const [film] = await listFilms(owner)
  expect(film).toMatchObject({ id: filmId, state: 'ready' })
  await engine.clock.moveTo(Date.parse(film?.keptUntil ?? '') - hours(1))
  await removeOld(engine.deps)
  await engine.drain()
  expect(await isThere(filmId)).toBe(true)
  await engine.clock.move(hours(2))
  await removeOld(engine.deps)
  await engine.drain()
  expect([await filmOf(filmId), await isThere(filmId)]).toEqual([undefined, false])
})

test('U-JOIN-17: films go with their account', async () => {
  const { owner, filmId } = await startFilm()
  await engine.drain()
  const admin = await engine.admin()
  await deleteUser(admin, owner.actor.id)
  await engine.clock.move(days(1))
  await engine.settle()
  expect(await filmOf(filmId)).toMatchObject({ state: 'ready' })
  await engine.clock.move(days(14))
  await purgeTrash(engine.deps)
  await purgeTrashedUsers(engine.deps)
  await engine.drain()
  expect([await filmOf(filmId), await isThere(filmId)]).toEqual([undefined, false])
})

test('U-JOIN-18: a worker that stood still does not replace the film of another one', async () => {
  const { filmId } = await startFilm()
  const slow = engine.worker()
  const frozen = slow.killSwitch.freezeAt(/^before .*select 1 from films where films\.id/s)
  const drained = slow.drain()
  await frozen
  await engine.clock.move(minutes(2))
  const other = await engine.startTestWorker()
  expect(await sweepFilms(engine.deps)).toBe(1)
  await other.drain()
  expect(await filmOf(filmId)).toMatchObject({ state: 'ready', runs: 2 })
  const before = await fs.stat(fileOf(filmId))
  slow.killSwitch.thaw()
  await drained
  expect((await fs.stat(fileOf(filmId))).ino).toBe(before.ino)
  expect(await fs.readdir(path.join(engine.dataDir, 'videos', 'incoming'))).toEqual([])
})

test('U-JOIN-19: a film waits while the storage is away, and that counts as no run', async () => {
  const { filmId } = await startFilm()
  away.is = true
  await engine.drain()
  expect(await filmOf(filmId)).toMatchObject({ state: 'waiting', runs: 0 })
  expect(await isThere(filmId)).toBe(false)
  away.is = false
  await engine.settle()
  expect(await filmOf(filmId)).toMatchObject({ state: 'ready', runs: 1 })
})

test('U-JOIN-20: clips that are stored elsewhere are copied here first, and removed', async () => {
  const { filmId } = await startFilm()
  remote.is = true
  await engine.drain()
  remote.is = false
  expect(await filmOf(filmId)).toMatchObject({ state: 'ready' })
  expect(await fs.readdir(path.join(engine.dataDir, 'videos', 'incoming'))).toEqual([])
})

test('U-JOIN-21: a clip that cannot be read fails its film in words, and no other one', async () => {
  const { ids, filmId, owner } = await startFilm()
  const fine = await startFilm(owner)
  const clip = fileOf(ids[1]!)
  const bytes = await fs.readFile(clip)
  await fs.writeFile(clip, bytes.subarray(0, 1000))
  await engine.settle()
  await fs.writeFile(clip, bytes)
  expect(await filmOf(filmId)).toMatchObject({
    state: 'failed',
    reason: 'These clips could not be joined.',
  })
  expect(await filmOf(fine.filmId)).toMatchObject({ state: 'ready' })
})

test.each(['goes on', 'is killed'])(
  'U-JOIN-23: a film deleted just before its file is stored leaves none, if the worker %s',
  async (fate) => {
    const { owner, filmId } = await startFilm()
    const slow = engine.worker()
    const frozen = slow.killSwitch.freezeAt(/^after .*select 1 from films where films\.id/s)
    const drained = slow.drain()
    await frozen
    await deleteFilm(owner, filmId)
    // The job that removes its files finds none yet.
    await (await engine.startTestWorker()).drain()
    if (fate === 'is killed') slow.killSwitch.killAt(/^before .*set state = 'ready'/s)
    slow.killSwitch.thaw()
    await drained
    expect(await isThere(filmId)).toBe(fate === 'is killed')
    await engine.restart()
    await engine.settle()
    expect(await isThere(filmId)).toBe(false)
  },
)
