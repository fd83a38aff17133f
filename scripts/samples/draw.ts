import fs from 'node:fs/promises'
import path from 'node:path'
import { createCanvas, type Canvas } from '@napi-rs/canvas'
import { pngQuantize } from '@napi-rs/image'
import { SAMPLES, webpPath, type Sample } from '~/lib/samples'
import { animationOf, frameSize } from '../../renderer/render'
import { drawLogo } from './logo'

const STILL = { width: 270, height: 480 }
const MOST_BYTES = 40_000
const COLOURS = [256, 128, 64]
const WEBP_QUALITY = 78
const LOGO_QUALITY = 70
const ICON_SIDE = 48

/** Draws all pictures of the landing page and the product's logos into `folder`. */
export async function drawSamples(folder: string): Promise<void> {
  await fs.mkdir(path.join(folder, 'slider-images'), { recursive: true })
  for (const sample of SAMPLES) {
    const still = stillOf(sample)
    const png = await encodeSmall(still, sample.prompt)
    const webp = await still.encode('webp', WEBP_QUALITY)
    await fs.writeFile(path.join(folder, sample.imagePath), png)
    await fs.writeFile(path.join(folder, webpPath(sample)), webp)
    process.stdout.write(`${sample.imagePath} ${png.length} bytes, as WebP ${webp.length}\n`)
  }
  const logo = await pngQuantize(drawLogo(256).toBuffer('image/png'), { maxQuality: LOGO_QUALITY })
  await fs.writeFile(path.join(folder, 'logo.png'), logo)
  const icon = encodeIcon(drawLogo(ICON_SIDE).toBuffer('image/png'), ICON_SIDE)
  await fs.writeFile(path.join(folder, 'favicon.ico'), icon)
}

/** Draws a frame from the middle of the clip, without its caption. */
function stillOf({ prompt, seed }: Sample): Canvas {
  const aspectRatio = 'portrait'
  const order = { prompt, seed, aspectRatio, negativePrompt: null, durationSeconds: 8 } as const
  const { width, height } = frameSize(aspectRatio)
  const frame = createCanvas(width, height)
  animationOf(order, null).draw(frame.getContext('2d'), { seconds: 4, progress: 0.5 })
  const small = createCanvas(STILL.width, STILL.height)
  const pen = small.getContext('2d')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(frame, 0, 0, STILL.width, STILL.height)
  return small
}

/**
 * Encodes a PNG with the most colours that fit into MOST_BYTES. Throws if no palette is small enough.
 */
async function encodeSmall(still: Canvas, prompt: string): Promise<Buffer> {
  const full = still.toBuffer('image/png')
  for (const colors of COLOURS) {
    const png = await pngQuantize(full, { colors, minQuality: 0 })
    if (png.length <= MOST_BYTES) return png
  }
  throw new Error(`${prompt}: no palette is small enough`)
}

/** Wraps a PNG of at most 256x256 as an icon file. */
function encodeIcon(png: Buffer, side: number): Buffer {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.set([side % 256, side % 256, 0, 0], 6)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}
