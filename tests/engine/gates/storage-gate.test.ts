import { beforeEach, expect, test } from 'vitest'
import { closeForStorage } from '../../../app/domain/videos/engine/close-gate.server'
import { openStorage } from '../../../app/domain/videos/engine/gates.server'
import {
  findStorageTrouble,
  storageTrouble,
} from '../../../app/domain/videos/engine/storage-trouble.server'
import type { StorageTrouble } from '../../../app/domain/videos/types'
import { StorageUnavailable } from '../../../app/platform/storage/port'
import { useEngine } from '../../support/engine/shared-engine'

const engine = useEngine({ env: { STORAGE_RESERVE_MB: '1' } })
beforeEach(async () => {
  await engine.pool.query('delete from provider_gates')
})

const close = (reason: StorageTrouble) =>
  engine.deps.db.transaction((tx) => closeForStorage(engine.deps, tx, reason))
const closedFor = async () => {
  const { rows } = await engine.pool.query<{ reason: string; ms: number }>(
    `select reason, extract(epoch from closed_until - engine_now())::float * 1000 as ms from provider_gates`,
  )
  // To five seconds: time also passes on the clock while this machine is busy.
  return rows[0] && { reason: rows[0].reason, seconds: Math.round(rows[0].ms / 5_000) * 5 }
}

test('W-FAULT: while the storage is unavailable, clips are retried after 5, 10, 20, 40, 60 s; concurrent failures count once', async () => {
  for (const pause of [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
    const pauses = await Promise.all([close('storage'), close('storage'), close('storage')])
    expect(pauses).toEqual([pause, pause, pause])
    // The line stays closed for 40 s longer, unless a probe succeeds.
    expect(await closedFor()).toEqual({ reason: 'storage', seconds: pause / 1000 + 40 })
    await engine.clock.move(pause)
  }
})

test('W-FAULT: the latest reason is the one that is shown, and its pauses start from the beginning', async () => {
  expect(await close('storage')).toBe(5_000)
  expect(await close('space')).toBe(15_000)
  expect(await closedFor()).toEqual({ reason: 'space', seconds: 20 })
  expect(await close('storage')).toBe(5_000)
  await engine.deps.db.transaction((tx) => openStorage(engine.deps, tx))
  expect(await closedFor()).toBeUndefined()
})

test('a storage that does not respond or has no space counts as unavailable; other errors do not', async () => {
  const free = (freeBytes: () => Promise<number | null>) =>
    findStorageTrouble({ ...engine.deps, storage: { ...engine.deps.storage, freeBytes } })
  expect(await free(async () => null)).toBeUndefined()
  expect(await free(async () => 2 ** 20)).toBeUndefined()
  expect(await free(async () => 2 ** 20 - 1)).toBe('space')
  expect(await free(() => Promise.reject(new StorageUnavailable('EIO')))).toBe('storage')
  expect(storageTrouble(Object.assign(new Error('full'), { code: 'ENOSPC' }))).toBe('space')
  expect(storageTrouble(new StorageUnavailable('EIO'))).toBe('storage')
  expect(storageTrouble(new TypeError('a bug'))).toBeUndefined()
})
