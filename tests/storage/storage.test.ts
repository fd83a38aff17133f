import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { readEnv } from '../../app/platform/env.server'
import { FileMissing, type VideoStorage } from '../../app/platform/storage/port'
import { createStorage } from '../../app/platform/storage/registry.server'
import { partOf } from '../../app/http/endpoints/stored-file.server'
import { clipNote } from '../simulator/clip'
import { startSimulator } from '../simulator/simulator'
import { BUCKET_SECRET, startBucket, type TestBucket } from '../support/bucket'
import { startInstallation } from '../support/installation'
import { findViolations } from '../support/invariants'
import { testEnv } from '../support/processes'
import { until } from '../support/wait'
import { readZipFile } from '../support/zip'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function bucketHere(): Promise<TestBucket> {
  const bucket = await startBucket()
  ends.push(bucket.stop)
  return bucket
}

async function open(kind: 'file' | 's3'): Promise<VideoStorage & { stop?(): Promise<void> }> {
  return openWith(kind === 's3' ? (await bucketHere()).env : {})
}

async function openWith(env: Record<string, string>) {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-storage-'))
  ends.push(() => fs.rm(dataDir, { recursive: true, force: true }))
  const read = readEnv({ ...testEnv('postgres://localhost/x', dataDir), ...env })
  if (!read.ok) throw new Error(read.problems.join('; '))
  const storage: VideoStorage & { stop?(): Promise<void> } = createStorage(read.env)
  ends.push(async () => storage.stop?.())
  return storage
}

async function store(storage: VideoStorage, key: string, bytes: Buffer): Promise<string> {
  const scratch = await storage.scratchPath('one.part')
  await fs.writeFile(scratch, bytes)
  await storage.commit(scratch, key)
  return scratch
}

describe.each(['file', 's3'] as const)('storage in %s', (kind) => {
  test('a committed file can be read completely, by range and by size, until it is removed', async () => {
    const storage = await open(kind)
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251))
    const scratch = await store(storage, 'ab/one.mp4', bytes)
    await expect(fs.stat(scratch)).rejects.toThrow('ENOENT')
    expect(await storage.size('ab/one.mp4')).toBe(100_000)
    expect((await buffer(await storage.open('ab/one.mp4'))).equals(bytes)).toBe(true)
    const part = await buffer(await storage.open('ab/one.mp4', { first: 10, last: 19 }))
    expect(part.equals(bytes.subarray(10, 20))).toBe(true)
    // A second try of the same step replaces its own file.
    await store(storage, 'ab/one.mp4', bytes.subarray(0, 50))
    expect(await storage.size('ab/one.mp4')).toBe(50)
    await storage.remove('ab/one.mp4')
    await storage.remove('ab/one.mp4')
    await expect(storage.size('ab/one.mp4')).rejects.toThrow(FileMissing)
  })

  test('missing files are reported', async () => {
    const storage = await open(kind)
    await storage.check()
    await expect(storage.open('ab/none.mp4')).rejects.toThrow(FileMissing)
    await expect(storage.size('ab/none.mp4')).rejects.toThrow(FileMissing)
  })

  test('old scratch files are removed, recent ones stay, and free space is reported', async () => {
    const storage = await open(kind)
    const [old, young] = [await storage.scratchPath('old.part'), await storage.scratchPath('new')]
    const kept = await storage.scratchPath('kept.clip')
    await fs.writeFile(old, 'x')
    await fs.writeFile(young, 'x')
    await fs.writeFile(kept, 'x')
    for (const file of [old, kept]) await fs.utimes(file, new Date(0), new Date(0))
    await storage.removeOldScratch(60_000, (name) => name === 'kept.clip')
    await expect(fs.stat(old)).rejects.toThrow('ENOENT')
    await fs.stat(young)
    await fs.stat(kept)
    // A bucket has no limit of ours.
    if (kind === 's3') expect(await storage.freeBytes()).toBeNull()
    else expect(await storage.freeBytes()).toBeGreaterThan(0)
  })
})

test.each([
  ['absent', 'NoSuchBucket (HTTP 404)'],
  ['locked', 'AccessDenied (HTTP 403)'],
] as const)('the check of a bucket that is %s reports %s', async (mood, reason) => {
  const bucket = await bucketHere()
  const storage = await openWith(bucket.env)
  await bucket.be(mood)
  await expect(storage.check()).rejects.toThrow(reason)
})

test('settings of storage: all problems are reported together', () => {
  const base = testEnv('postgres://localhost/x', '/tmp/x')
  const problems = (env: Record<string, string>) => {
    const read = readEnv({ ...base, ...env })
    return read.ok ? [] : read.problems
  }
  expect(problems({ STORAGE: 'tape' })).toEqual(['STORAGE must be file or s3'])
  const env = { STORAGE: 's3', S3_ENDPOINT: 'minio:9000', S3_FORCE_PATH_STYLE: 'yes', PORT: 'x' }
  expect(problems(env)).toEqual([
    'PORT must be a whole number from 0 to 65535',
    'S3_ENDPOINT must be an address that starts with https:// or http://',
    'S3_FORCE_PATH_STYLE must be true or false',
    'S3_BUCKET is required for STORAGE=s3',
    'S3_ACCESS_KEY_ID is required for STORAGE=s3',
    'S3_SECRET_ACCESS_KEY is required for STORAGE=s3',
  ])
})

test('a Range header is parsed as in RFC 9110', () => {
  expect(partOf(undefined, 100)).toBe('whole')
  expect(partOf('bytes=0-9', 100)).toEqual({ first: 0, last: 9 })
  expect(partOf('bytes=90-', 100)).toEqual({ first: 90, last: 99 })
  expect(partOf('bytes=90-900', 100)).toEqual({ first: 90, last: 99 })
  expect(partOf('bytes=-10', 100)).toEqual({ first: 90, last: 99 })
  expect(partOf('bytes=-1000', 100)).toEqual({ first: 0, last: 99 })
  expect(partOf('bytes=100-', 100)).toBe('none')
  expect(partOf('bytes=-0', 100)).toBe('none')
  for (const odd of ['bytes=9-1', 'bytes=-', 'bytes=1-2,4-5', 'lines=1-2', 'bytes=a-b']) {
    expect(partOf(odd, 100), odd).toBe('whole')
  }
})

test('clips in a bucket: made, played by range, downloaded, and the bucket’s key is exposed nowhere', async () => {
  const bucket = await bucketHere()
  const sim = await startSimulator()
  ends.push(sim.stop)
  const env = { ...sim.env('openai'), ...bucket.env, LOG_LEVEL: 'debug' }
  const product = await startInstallation({ worker: true, env })
  ends.push(product.remove)
  const user = await product.user()
  const { body } = await user.post<{ id: string }>('/api/videos/generate', {
    prompt: 'A lighthouse in a bucket',
    aspectRatio: 'portrait',
  })
  const { videoUrl } = await until('the clip', async () => {
    const { body: video } = await user.get<{ status: string; videoUrl: string }>(
      `/api/videos/${body.id}/status`,
    )
    return video.status === 'completed' && video
  })
  const whole = await user.send('GET', videoUrl)
  expect(whole.status).toBe(200)
  const clip = Buffer.from(await whole.arrayBuffer())
  expect(clipNote(clip)).toContain(sim.orders()[0]!.id)
  expect([...bucket.objects.keys()].some((key) => key.endsWith('.mp4'))).toBe(true)
  const part = await user.send('GET', videoUrl, { headers: { range: 'bytes=100-199' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 100-199/${clip.length}`,
  ])
  expect(Buffer.from(await part.arrayBuffer()).equals(clip.subarray(100, 200))).toBe(true)
  const far = await user.send('GET', videoUrl, { headers: { range: 'bytes=99999999-' } })
  expect([far.status, far.headers.get('content-range')]).toEqual([416, `bytes */${clip.length}`])
  const etag = whole.headers.get('etag')!
  const same = await user.send('GET', videoUrl, { headers: { 'if-none-match': etag } })
  expect(same.status).toBe(304)
  const head = await user.send('HEAD', videoUrl)
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(clip.length)])
  const saved = await user.send('GET', `/api/videos/${body.id}/download`)
  expect(Buffer.from(await saved.arrayBuffer()).equals(clip)).toBe(true)
  const archive = await user.send('GET', '/api/videos/archive')
  const zip = Buffer.from(await archive.arrayBuffer())
  expect(zip.length).toBe(Number(archive.headers.get('content-length')))
  const files = await readZipFile(zip)
  expect([...files.values()].some((file) => file.equals(clip))).toBe(true)
  const tail = await user.send('GET', '/api/videos/archive', {
    headers: { range: 'bytes=5000-', 'if-range': archive.headers.get('etag')! },
  })
  expect([tail.status, tail.headers.get('content-range')]).toEqual([
    206,
    `bytes 5000-${zip.length - 1}/${zip.length}`,
  ])
  expect(Buffer.from(await tail.arrayBuffer()).equals(zip.subarray(5000))).toBe(true)
  const stranger = await (await product.user()).send('GET', videoUrl)
  expect(stranger.status).toBe(404)
  // The file was removed from the bucket outside the product.
  bucket.objects.clear()
  expect((await user.send('GET', videoUrl)).status).toBe(404)
  const rest = await user.send('GET', '/api/videos/archive')
  const left = await readZipFile(Buffer.from(await rest.arrayBuffer()))
  expect([...left.keys()]).toEqual(['prompts.csv', 'posting-list.csv'])
  expect(left.get('prompts.csv')?.toString()).toContain('Not included: the file is missing')
  expect(await findViolations(product.db)).toEqual({})
  const printed = product.web.output() + product.worker!.output()
  expect(printed).not.toContain(BUCKET_SECRET)
})

test('the S3 libraries are loaded at their first use, and never for files', async () => {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-storage-'))
  ends.push(() => fs.rm(dataDir, { recursive: true, force: true }))
  const loadedBy = async (env: Record<string, unknown>) => {
    const script = `
      import Module from 'node:module'
      import { createStorage } from './app/platform/storage/registry.server.ts'
      const storage = createStorage(${JSON.stringify({ DATA_DIR: dataDir, ...env })})
      const count = () => Object.keys(Module._cache).filter((file) => file.includes('@aws-sdk')).length
      const before = count()
      await storage.check()
      console.log(JSON.stringify([before, count()]))`
    const args = ['--import', 'tsx', '--input-type=module', '-e', script]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return JSON.parse(stdout) as [number, number]
  }
  expect(await loadedBy({ STORAGE: 'file' })).toEqual([0, 0])
  const { env } = await bucketHere()
  const [before, after] = await loadedBy({ S3_REGION: 'us-east-1', ...env })
  expect(before).toBe(0)
  expect(after).toBeGreaterThan(0)
})
