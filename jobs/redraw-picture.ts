import { buffer } from 'node:stream/consumers'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { lowerPriority } from '~/lib/lower-priority.server'
import { redrawnOutput } from '~/platform/media/picture.server'

// Child process of the intake of pictures: reads one picture, and writes what it shows as a JPEG.

const MOST_SIDE = 1600
const QUALITY = 75

lowerPriority()
const image = await loadImage(await buffer(process.stdin))
const scale = Math.min(1, MOST_SIDE / Math.max(image.width, image.height))
const [width, height] = [image.width, image.height].map((side) =>
  Math.max(1, Math.round(side * scale)),
)
const canvas = createCanvas(width ?? 1, height ?? 1)
const pen = canvas.getContext('2d')
pen.fillStyle = 'white'
pen.fillRect(0, 0, canvas.width, canvas.height)
pen.imageSmoothingQuality = 'high'
pen.drawImage(image, 0, 0, canvas.width, canvas.height)
const { data } = pen.getImageData(0, 0, canvas.width, canvas.height)
const pixels = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
process.stdout.write(redrawnOutput(pixels, canvas.toBuffer('image/jpeg', QUALITY)))
