import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { webpOf } from '../../app/lib/poster-files'
import { startBucket, type TestBucket } from '../support/bucket'
import { addVideos } from '../support/ended-videos'
import { startInstallation, type Installation } from '../support/installation'
import { findViolations } from '../support/invariants'
import { giveVideoPicture } from '../support/pictures'
import { bareEnv, startWeb, type ProcessEnv } from '../support/processes'
import { until } from '../support/wait'

let product: Installation
let bucket: TestBucket
beforeEach(async () => {
  bucket = await startBucket()
  product = await startInstallation()
})
afterEach(async () => {
  expect(await findViolations(product.db)).toEqual({})
  await product.remove()
  await bucket.stop()
})

/** Starts the program of `npm run move` with the bucket's settings and the product's STORAGE. */
function startMove(args: string[], more: ProcessEnv = {}) {
  const env = { ...bareEnv(), ...product.env, ...bucket.env, STORAGE: 'file', ...more }
  const child = spawn(process.execPath, [path.resolve('build/move-clips.js'), ...args], { env })
  let output = ''
  child.stdout.on('data', (text: Buffer) => (output += text.toString()))
  child.stderr.on('data', (text: Buffer) => (output += text.toString()))
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, output })),
  )
  return { child, ended }
}

const move = (...args: string[]) => startMove(args).ended

const videosFolder = () => path.join(product.dataDir, 'videos')
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

type File = { id: string; clip: string; poster: string; bytes: Buffer }

/** Creates finished videos with distinct files. Returns their user and files. */
async function addFiles(n: number) {
  const user = await product.user()
  const ids = await addVideos(product, { userId: user.userId, status: 'completed', n })
  const files: File[] = []
  for (const id of ids) {
    const base = `${id.slice(-2)}/${id}`
    const bytes = randomBytes(20_000)
    const file = path.join(videosFolder(), base)
    await fs.mkdir(path.dirname(file), { recursive: true })
    await Promise.all([fs.writeFile(`${file}.mp4`, bytes), fs.writeFile(`${file}.jpg`, 'poster')])
    await product.db.query('update videos set file_sha256 = $2, file_bytes = $3 where id = $1', [
      id,
      hashOf(bytes),
      bytes.length,
    ])
    files.push({ id, clip: `${base}.mp4`, poster: `${base}.jpg`, bytes })
  }
  return { user, files }
}

const onDisk = async (keys: string[]) => {
  const there = await Promise.all(
    keys.map((key) =>
      fs.stat(path.join(videosFolder(), key)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return there.filter(Boolean).length
}
const keysOf = (files: File[]) => files.flatMap(({ clip, poster }) => [clip, poster])

test('all files are moved to the bucket, played from there, removed from the folder on request, and moved back', async () => {
  const { user, files } = await addFiles(6)
  // Only one of the posters has a WebP.
  const webp = webpOf(files[0]!.poster)
  await fs.writeFile(path.join(videosFolder(), webp), 'webp')
  const keys = [...keysOf(files), webp]
  const copy = await move('s3')
  expect(copy.output).toContain('13 files (0.1 MB) copied and read back; 0 were there')
  expect(copy.code).toBe(0)
  expect(bucket.objects.size).toBe(13)
  expect(await onDisk(keys)).toBe(13)

  const early = await move('s3', '--remove-old')
  expect(early.output).toContain('STORAGE=file')
  expect(early.code).toBe(1)
  expect(await onDisk(keys)).toBe(13)
  const removal = await startMove(['s3', '--remove-old'], { STORAGE: 's3' }).ended
  expect(removal.output).toContain('13 files')
  expect(removal.code).toBe(0)
  expect(await onDisk(keys)).toBe(0)

  const web = await startWeb({ ...product.env, ...bucket.env })
  try {
    for (const { id, bytes } of files) {
      const clip = await user.send('GET', `${web.url}/media/${id}.mp4`)
      expect(hashOf(new Uint8Array(await clip.arrayBuffer()))).toBe(hashOf(bytes))
    }
  } finally {
    await web.stop()
  }

  expect((await startMove(['file'], { STORAGE: 's3' }).ended).code).toBe(0)
  expect(await onDisk(keys)).toBe(13)
  for (const { clip, bytes } of files) {
    expect(hashOf(await fs.readFile(path.join(videosFolder(), clip)))).toBe(hashOf(bytes))
  }
})

test('U-I2V-18: the picture of a video is moved with its files', async () => {
  const { user, files } = await addFiles(1)
  const id = files[0]!.id
  const picture = await giveVideoPicture(product, id)
  expect((await move('s3')).output).toContain('3 files')
  expect((await startMove(['s3', '--remove-old'], { STORAGE: 's3' }).ended).code).toBe(0)
  const web = await startWeb({ ...product.env, ...bucket.env })
  try {
    const shown = await user.send('GET', `${web.url}/media/${id}.picture.jpeg`)
    expect(Buffer.from(await shown.arrayBuffer()).equals(picture)).toBe(true)
  } finally {
    await web.stop()
  }
})

test('a move that is killed continues where it stopped', async () => {
  const { files } = await addFiles(40)
  const { child, ended } = startMove(['s3'])
  await until('some copies', () => bucket.objects.size > 10)
  child.kill('SIGKILL')
  await ended
  const copied = bucket.objects.size
  expect(copied).toBeLessThan(80)

  const puts = () => bucket.requests.filter((request) => request.startsWith('PUT')).length
  const before = puts()
  expect((await move('s3')).code).toBe(0)
  expect(bucket.objects.size).toBe(80)
  expect(puts() - before).toBe(80 - copied)
  for (const { clip, bytes } of files) expect(bucket.objects.get(clip)).toEqual(bytes)
})

test('missing and damaged files are named and kept, and a damaged copy is made again', async () => {
  const { files } = await addFiles(3)
  const [gone, changed, good] = files
  await fs.rm(path.join(videosFolder(), gone!.clip))
  await fs.writeFile(path.join(videosFolder(), changed!.clip), randomBytes(20_000))
  const { code, output } = await move('s3')
  expect(code).toBe(1)
  expect(output).toContain(`1 are in neither place: ${gone!.clip}`)
  expect(output).toContain(`1 differ from what was stored: ${changed!.clip}`)
  expect(bucket.objects.has(changed!.clip)).toBe(false)

  bucket.objects.set(good!.clip, randomBytes(20_000))
  const removal = await startMove(['s3', '--remove-old'], { STORAGE: 's3' }).ended
  expect(removal.code).toBe(1)
  expect(removal.output).toContain(changed!.clip)
  expect(bucket.objects.get(good!.clip)).toEqual(good!.bytes)
  expect(await onDisk(files.map(({ clip }) => clip))).toBe(1)
  expect(await onDisk(files.map(({ poster }) => poster))).toBe(0)
})

test('a folder with less free space than the reserve is not filled', async () => {
  const { files } = await addFiles(2)
  for (const { clip, bytes } of files) bucket.objects.set(clip, bytes)
  await fs.rm(videosFolder(), { recursive: true })
  const full = { STORAGE: 's3', STORAGE_RESERVE_MB: '100000000' }
  const { code, output } = await startMove(['file'], full).ended
  expect(output).toContain('STORAGE_RESERVE_MB')
  expect(code).toBe(1)
  expect(await onDisk(keysOf(files))).toBe(0)
})

test('a move waits while the bucket is briefly unavailable', async () => {
  await addFiles(20)
  const { ended } = startMove(['s3'])
  await until('some copies', () => bucket.objects.size > 4)
  await bucket.be('busy')
  const refused = bucket.requests.length
  await until('requests that are refused', () => bucket.requests.length > refused)
  await bucket.be('normal')
  expect((await ended).code).toBe(0)
  expect(bucket.objects.size).toBe(40)
})

test.each([
  { args: [], says: 'Name the target', env: {} },
  { args: ['disk'], says: 'Name the target', env: {} },
  { args: ['s3', '--now'], says: 'Name the target', env: {} },
  { args: ['s3'], says: 'S3_BUCKET is required', env: { S3_BUCKET: '' } },
])('wrong use: npm run move -- $args', async ({ args, says, env }) => {
  const { code, output } = await startMove(args, env).ended
  expect(output).toContain(says)
  expect(code).toBe(1)
})
