import { buffer } from 'node:stream/consumers'
import { createCanvas, loadImage, type Image } from '@napi-rs/canvas'
import { lowerPriority } from '~/lib/lower-priority.server'
import { redrawnOutput } from '~/platform/media/picture.server'

// Child process of the intake of pictures: reads one picture, and writes what it shows as a JPEG. Two
// arguments, a ratio and a place (`Fit`), say how it fills the frame of a video.

const MOST_SIDE = 1600
const QUALITY = 75
/** The provider encodes the picture of a video once more. */
const FITTED_QUALITY = 90
const [LONG_SIDE, SHORT_SIDE] = [1280, 720]

type Drawing = { width: number; height: number; x: number; y: number; scale: number }

function whole(image: Image): Drawing {
  const scale = Math.min(1, MOST_SIDE / Math.max(image.width, image.height))
  const sideOf = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: sideOf(image.width), height: sideOf(image.height), x: 0, y: 0, scale }
}

function fitted(image: Image, ratio: string, at: number): Drawing {
  const isWide = ratio === 'nearest' ? image.width > image.height : ratio === 'landscape'
  const [width, height] = isWide ? [LONG_SIDE, SHORT_SIDE] : [SHORT_SIDE, LONG_SIDE]
  const scale = Math.max(width / image.width, height / image.height)
  const [x, y] = [(width - image.width * scale) * at, (height - image.height * scale) * at]
  return { width, height, x, y, scale }
}

lowerPriority()
const [ratio, at] = process.argv.slice(2)
// Turns the picture upright, as its metadata says.
const image = await loadImage(await buffer(process.stdin))
const drawing = ratio === undefined ? whole(image) : fitted(image, ratio, Number(at))
const { width, height, x, y, scale } = drawing
const canvas = createCanvas(width, height)
const pen = canvas.getContext('2d')
pen.fillStyle = 'white'
pen.fillRect(0, 0, width, height)
pen.imageSmoothingQuality = 'high'
if (ratio === undefined) pen.drawImage(image, 0, 0, width, height)
else pen.drawImage(image, x, y, image.width * scale, image.height * scale)
const { data } = pen.getImageData(0, 0, width, height)
const pixels = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
const quality = ratio === undefined ? QUALITY : FITTED_QUALITY
process.stdout.write(redrawnOutput(pixels, canvas.toBuffer('image/jpeg', quality)))
