import fs from 'node:fs/promises'
import path from 'node:path'
import { createCanvas, type Canvas } from '@napi-rs/canvas'
import { SAMPLES, webpPath, type Sample } from '~/lib/samples'
import { filmOf, frameSize } from '~/platform/providers/local/render.server'
import { drawLogo } from './logo'
import { encodeIcon, encodeIndexedPng } from './png'
import { posterise, quantise } from './quantise'

const STILL = { width: 270, height: 480 }
const MOST_BYTES = 40_000
const COLOURS = [256, 200, 160, 128, 96, 72, 56, 40]
const WEBP_QUALITY = 78
const ICON_SIDE = 48

/** Draws all pictures of the landing page and the product's logos into `folder`. */
export async function drawSamples(folder: string): Promise<void> {
  await fs.mkdir(path.join(folder, 'slider-images'), { recursive: true })
  for (const sample of SAMPLES) {
    const still = stillOf(sample)
    const png = encodeSmall(still, sample.prompt)
    const webp = await still.encode('webp', WEBP_QUALITY)
    await fs.writeFile(path.join(folder, sample.imagePath), png)
    await fs.writeFile(path.join(folder, webpPath(sample)), webp)
    process.stdout.write(`${sample.imagePath} ${png.length} bytes, as WebP ${webp.length}\n`)
  }
  const logo = drawLogo(256).getContext('2d').getImageData(0, 0, 256, 256)
  await fs.writeFile(path.join(folder, 'logo.png'), encodeIndexedPng(posterise(logo)))
  const icon = encodeIcon(drawLogo(ICON_SIDE).toBuffer('image/png'), ICON_SIDE)
  await fs.writeFile(path.join(folder, 'favicon.ico'), icon)
}

/** Draws a frame from the middle of the clip, without its caption. */
function stillOf({ prompt, seed }: Sample): Canvas {
  const aspectRatio = 'portrait'
  const order = { prompt, seed, aspectRatio, negativePrompt: null, durationSeconds: 8 } as const
  const { width, height } = frameSize(aspectRatio)
  const frame = createCanvas(width, height)
  filmOf(order, null).draw(frame.getContext('2d'), { seconds: 4, progress: 0.5 })
  const small = createCanvas(STILL.width, STILL.height)
  const pen = small.getContext('2d')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(frame, 0, 0, STILL.width, STILL.height)
  return small
}

/**
 * Encodes a PNG with the most colours that fit into MOST_BYTES. Throws if no palette is small enough.
 */
function encodeSmall(still: Canvas, prompt: string): Buffer {
  const image = still.getContext('2d').getImageData(0, 0, STILL.width, STILL.height)
  for (const colours of COLOURS) {
    const png = encodeIndexedPng(quantise(image, colours))
    if (png.length <= MOST_BYTES) return png
  }
  throw new Error(`${prompt}: no palette is small enough`)
}
