import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBucket, type Mood, type TestBucket } from '../support/bucket'
import { startInstallation, type Installation, type TestUser } from '../support/installation'
import { openPage } from '../support/page'
import { makeVideos, type MadeVideo } from '../support/videos'

type User = TestUser

let bucket: TestBucket
let product: Installation
beforeAll(async () => {
  bucket = await startBucket()
  product = await startInstallation({ env: bucket.env })
})
afterAll(async () => {
  await product.remove()
  await bucket.stop()
})

async function stored(user: User): Promise<MadeVideo> {
  const [video] = await makeVideos(product, user.userId, [{ prompt: 'A lantern' }])
  bucket.objects.set(`${video!.id.slice(-2)}/${video!.id}.mp4`, video!.bytes)
  return video!
}

const html = { headers: { accept: 'text/html' } }

test('W-FAULT: while the bucket is unavailable or hangs, clips and archives report it with a Retry-After', async () => {
  const [user, admin] = [await product.user(), await product.user({ role: 'admin' })]
  const { id, bytes } = await stored(user)
  const moods: Mood[] = ['gone', 'hanging', 'busy']
  for (const mood of moods) {
    await bucket.be(mood)
    const addresses = [`/media/${id}.mp4`, `/api/videos/${id}/download`, '/api/videos/archive']
    const responses = addresses.map(async (address) => {
      const response = await user.send('GET', address, html)
      expect([address, response.status], mood).toEqual([address, 503])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(response.headers.get('content-disposition')).toBeNull()
      expect(await response.text()).toContain('Our storage for videos cannot be reached')
    })
    const system = openPage(admin, '/admin/system').then(({ text }) => {
      expect(text, mood).toContain('Clips cannot be stored or shown')
      expect(text, mood).not.toContain('Everything works')
    })
    await Promise.all([...responses, system])
  }
  await bucket.be('normal')
  const clip = await user.send('GET', `/media/${id}.mp4`)
  expect(Buffer.from(await clip.arrayBuffer()).equals(bytes)).toBe(true)
  expect((await openPage(admin, '/admin/system')).text).not.toContain('cannot be stored')
})

test('W-FAULT: an archive that cannot be made is reported on the page that requested it', async () => {
  const user = await product.user()
  await stored(user)
  await bucket.be('busy')
  const response = await user.send('GET', '/api/videos/archive?from=%2Fmy-videos')
  expect(response.status).toBe(303)
  const page = await openPage(user, response.headers.get('location') ?? '')
  expect(page.text).toContain('Our storage for videos cannot be reached')
  await bucket.be('normal')
})

test('W-FAULT: a clip that breaks off resets the connection, so that no client takes the half for the whole', async () => {
  const user = await product.user()
  const { id } = await stored(user)
  bucket.objects.set(`${id.slice(-2)}/${id}.mp4`, Buffer.alloc(4 * 1024 * 1024, 'x'))
  await bucket.be('cut')
  const response = await user.send('GET', `/media/${id}.mp4`)
  expect(response.status).toBe(200)
  await expect(response.arrayBuffer()).rejects.toThrow()
  await bucket.be('normal')
})

test('W-FAULT: clips on a missing disk are unavailable, not missing', async () => {
  const onDisk = await startInstallation()
  const user = await onDisk.user()
  const [video] = await makeVideos(onDisk, user.userId, [{}])
  const get = () => user.send('GET', `/media/${video!.id}.mp4`)
  expect((await get()).status).toBe(200)
  const [root, elsewhere] = ['videos', 'unplugged'].map((name) => path.join(onDisk.dataDir, name))
  await fs.rename(root!, elsewhere!)
  expect((await get()).status).toBe(503)
  await fs.rename(elsewhere!, root!)
  await fs.rm(video!.file)
  expect((await get()).status).toBe(404)
  await onDisk.remove()
})
