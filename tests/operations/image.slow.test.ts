import { spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { asOwner, databaseUrl } from '../support/cluster'
import { makeImage, type Image } from '../support/image'
import { startInstallation } from '../support/installation'
import { bareEnv, testEnv } from '../support/processes'
import { until } from '../support/wait'

const MOST_MB = 300
const CLUSTER = process.env.TEST_CLUSTER_URL ?? ''
const EMPTY = 'image_test'

let image: Image
let sim: Simulator
beforeAll(async () => {
  image = await makeImage()
  sim = await startSimulator({ scenario: { defaults: { generationMs: 50 } } })
  await asOwner(CLUSTER, (client) => client.query(`create database ${EMPTY}`))
})
afterAll(async () => {
  await sim.stop()
  await image.remove()
  await asOwner(CLUSTER, (client) => client.query(`drop database if exists ${EMPTY} with (force)`))
})

type Video = { status: string; videoUrl: string | null; thumbnailUrl: string | null }

/** Makes one video with the programs of the image. */
async function makeVideo(env: Record<string, string>): Promise<Video & { log: string }> {
  const build = path.join(image.dir, 'build')
  const product = await startInstallation({
    build,
    worker: true,
    env: { LOG_LEVEL: 'info', ...env },
  })
  try {
    const user = await product.user()
    expect(await (await fetch(`${product.url}/login`)).text()).toContain('<svg')
    const made = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'A mill' })
    expect(made.status).toBe(201)
    const video = await until('the video', async () => {
      const { body } = await user.get<{ videos: Video[] }>('/api/videos')
      return body.videos.find(({ status }) => status === 'completed')
    })
    return { ...video, log: product.worker?.output() ?? '' }
  } finally {
    await product.remove()
  }
}

test('an image migrates, renders previews and makes posters, and its packages are small', async () => {
  await image.script(['scripts/slim.mjs'])
  expect(await image.packagesMb()).toBeLessThanOrEqual(MOST_MB)
  await expect(fs.stat(path.join(image.dir, 'THIRD_PARTY_NOTICES'))).resolves.toBeTruthy()

  const env = { ...testEnv(databaseUrl(CLUSTER, EMPTY), path.join(image.dir, '.data')) }
  await image.script(['scripts/migrate.mjs'], { ...env, ADMIN_PASSWORD: 'secret-password' })
  const video = await makeVideo({})
  expect(video.thumbnailUrl).toMatch(/\.jpg$/)
  expect(video.log).not.toContain('still pictures')
})

test('an image without the preview renderer stores a provider’s videos without posters, and reports that', async () => {
  await image.script(['scripts/slim.mjs', '--without-preview'])
  const video = await makeVideo(sim.env('runway'))
  expect(video).toMatchObject({ status: 'completed', thumbnailUrl: null })
  expect(video.videoUrl).toMatch(/\.mp4$/)
  expect(video.log).toContain('videos get no still pictures')
})

test('an image without the preview renderer does not start with VIDEO_PROVIDER=local, and reports why', async () => {
  const worker = spawn(process.execPath, [path.join(image.dir, 'build/worker.js')], {
    env: { ...bareEnv(), ...testEnv(databaseUrl(CLUSTER, EMPTY), path.join(image.dir, '.data')) },
  })
  let said = ''
  worker.stderr.on('data', (text: Buffer) => (said += text.toString()))
  expect(await new Promise((resolve) => worker.once('close', resolve))).toBe(1)
  expect(said).toBe(
    'The settings need attention:\n  - VIDEO_PROVIDER must name a provider (see docs/providers.md): the preview renderer, local, is not part of this installation\n',
  )
})

test('scripts/slim.mjs refuses to remove the packages of a checkout', async () => {
  await fs.mkdir(path.join(image.dir, 'app'))
  await expect(image.script(['scripts/slim.mjs'])).rejects.toThrow('A checkout needs all')
})
