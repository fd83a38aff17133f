import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { readEnv } from '../../app/platform/env.server'
import { FileMissing, StorageUnavailable, type VideoStorage } from '../../app/platform/storage/port'
import { createStorage } from '../../app/platform/storage/registry.server'
import { startBucket, type Mood, type TestBucket } from '../support/bucket'
import { testEnv } from '../support/processes'

const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

type Opened = { storage: VideoStorage; dataDir: string }

async function openStorage(env: Record<string, string> = {}): Promise<Opened> {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-storage-'))
  ends.push(() => fs.rm(dataDir, { recursive: true, force: true }))
  const read = readEnv({ ...testEnv('postgres://localhost/x', dataDir), ...env })
  if (!read.ok) throw new Error(read.problems.join('; '))
  const storage = createStorage(read.env)
  ends.push(async () => storage.stop?.())
  return { storage, dataDir }
}

async function openBucket(): Promise<Opened & { bucket: TestBucket }> {
  const bucket = await startBucket()
  ends.push(bucket.stop)
  return { ...(await openStorage(bucket.env)), bucket }
}

async function scratchFile(storage: VideoStorage, bytes: Buffer): Promise<string> {
  const file = await storage.scratchPath('one.clip')
  await fs.writeFile(file, bytes)
  return file
}

/** Larger than what the kernel buffers for a server that does not read. */
const CLIP = Buffer.alloc(12 * 1024 * 1024, 'clip')
const KEY = 'ab/one.mp4'

describe('W-FAULT: an unavailable bucket is reported, and what waits for it is kept', () => {
  test('for every cause', async () => {
    const moods: Mood[] = ['gone', 'hanging', 'busy', 'locked', 'html']
    await Promise.all(moods.map((mood) => outlives(mood)))
  })

  async function outlives(mood: Mood): Promise<void> {
    const { storage, bucket } = await openBucket()
    const file = await scratchFile(storage, CLIP)
    await bucket.be(mood)
    const asked = [
      storage.commit(file, KEY),
      storage.open(KEY),
      storage.size(KEY),
      storage.remove(KEY),
      storage.check(),
    ]
    await Promise.allSettled(asked)
    for (const response of asked) await expect(response, mood).rejects.toThrow(StorageUnavailable)
    await bucket.be('normal')
    await storage.commit(file, KEY)
    expect((await buffer(await storage.open(KEY))).equals(CLIP)).toBe(true)
    await expect(fs.stat(file)).rejects.toThrow('ENOENT')
  }

  test('a read that is cut off or stalls', async () => {
    const breaksOff = async (mood: Mood) => {
      const { storage, bucket } = await openBucket()
      await storage.commit(await scratchFile(storage, CLIP), KEY)
      await bucket.be(mood)
      await expect(buffer(await storage.open(KEY)), mood).rejects.toThrow(StorageUnavailable)
    }
    await Promise.all([breaksOff('cut'), breaksOff('stalling')])
  })

  test('a connection that the bucket has closed meanwhile causes no error', async () => {
    const { storage, bucket } = await openBucket()
    await storage.check()
    await bucket.be('normal')
    await storage.commit(await scratchFile(storage, CLIP), KEY)
    expect(await storage.size(KEY)).toBe(CLIP.length)
  })

  test('a missing scratch file is no fault of the bucket', async () => {
    const { storage } = await openBucket()
    const gone = storage.commit(await storage.scratchPath('none.clip'), KEY)
    await expect(gone).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('W-FAULT: an unavailable disk is reported', () => {
  test('its folder disappears and returns: a clip that waited is stored', async () => {
    const { storage, dataDir } = await openStorage()
    const file = await scratchFile(storage, CLIP)
    const [root, elsewhere] = [path.join(dataDir, 'videos'), path.join(dataDir, 'unplugged')]
    await fs.rename(root, elsewhere)
    const asked = [
      storage.commit(file, KEY),
      storage.open(KEY),
      storage.size(KEY),
      storage.scratchPath('two.clip'),
      storage.freeBytes(),
      storage.check(),
    ]
    await Promise.allSettled(asked)
    for (const response of asked) await expect(response).rejects.toThrow(StorageUnavailable)
    await fs.rename(elsewhere, root)
    await expect(storage.size(KEY)).rejects.toThrow(FileMissing)
    await storage.commit(file, KEY)
    expect(await storage.size(KEY)).toBe(CLIP.length)
  })

  test('a file has the name of the folder', async () => {
    const { storage, dataDir } = await openStorage()
    const file = await scratchFile(storage, CLIP)
    await fs.writeFile(path.join(dataDir, 'videos', 'ab'), 'x')
    await expect(storage.commit(file, KEY)).rejects.toThrow(StorageUnavailable)
    expect((await fs.stat(file)).size).toBe(CLIP.length)
  })
})
