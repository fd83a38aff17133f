import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openJoiner } from '../../app/platform/media/joiner.server'
import { openLastPicture } from '../../app/platform/media/last-picture-child.server'
import { renderClip } from '../../renderer/render'
import { bundlePrograms } from '../support/bundle-programs'
import { seenIn } from '../support/pictures'

let entries: string
let folder: string

beforeAll(async () => {
  entries = await bundlePrograms('join-clips', 'last-picture')
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'last-'))
})
afterAll(async () => {
  await fs.rm(entries, { recursive: true, force: true })
  await fs.rm(folder, { recursive: true, force: true })
})

const lastOf = (file: string) => openLastPicture(path.join(entries, 'last-picture.js'))?.(file)

async function clipOf(colour: string): Promise<string> {
  const canvas = createCanvas(1280, 720)
  const pen = canvas.getContext('2d')
  pen.fillStyle = colour
  pen.fillRect(0, 0, 1280, 720)
  const picture = await loadImage(canvas.toBuffer('image/png'))
  const order = { prompt: 'a flag', negativePrompt: null, durationSeconds: 1, seed: 1, picture }
  const bytes = await renderClip(
    { ...order, aspectRatio: 'landscape' },
    { onStill: () => Promise.resolve(), onProgress: () => undefined },
  )
  const file = path.join(folder, `${colour}.mp4`)
  await fs.writeFile(file, bytes)
  return file
}

test('U-I2V-18: the last picture of a clip is what it shows at its end', async () => {
  const paths = [await clipOf('red'), await clipOf('blue')]
  const target = path.join(folder, 'both.mp4')
  const join = openJoiner(path.join(entries, 'join-clips.js'))
  expect(await join({ paths, target, onCopied: () => undefined })).toMatchObject({
    kind: 'joined',
  })
  const last = await lastOf(target)
  expect(await seenIn(last ?? Buffer.alloc(0))).toMatchObject({
    size: [1280, 720],
    across: ['blue', 'blue', 'blue'],
  })
})

test('U-I2V-18: a file that is no clip has no last picture', async () => {
  const file = path.join(folder, 'broken.mp4')
  await fs.writeFile(file, 'no clip')
  expect(await lastOf(file)).toBeNull()
})
