import { buffer } from 'node:stream/consumers'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { lowerPriority } from '~/lib/lower-priority.server'
import {
  liesOnSide,
  readPictureFile,
  uprightMatrix,
  withoutOrientation,
  type PictureFile,
} from '~/lib/picture-file'
import { NOT_WHOLE, redrawnOutput } from '~/platform/media/picture.server'
import { isWholePicture } from '~/platform/media/whole-picture.server'

// Child process of the intake of pictures: reads one picture, and writes what it shows as a JPEG. Two
// arguments, a ratio and a place (`Fit`), say how it fills the frame of a video.

const MOST_SIDE = 1600
const QUALITY = 75
/** The provider encodes the picture of a video once more. */
const FITTED_QUALITY = 90
const [LONG_SIDE, SHORT_SIDE] = [1280, 720]

type Size = { width: number; height: number }
/** The canvas, and where on it the upright picture lies. */
type Drawing = Size & { x: number; y: number; across: number; down: number }

function whole(picture: Size): Drawing {
  const scale = Math.min(1, MOST_SIDE / Math.max(picture.width, picture.height))
  const sideOf = (side: number) => Math.max(1, Math.round(side * scale))
  const [width, height] = [sideOf(picture.width), sideOf(picture.height)]
  return { width, height, x: 0, y: 0, across: width / picture.width, down: height / picture.height }
}

function fitted(picture: Size, ratio: string, at: number): Drawing {
  const isWide = ratio === 'nearest' ? picture.width > picture.height : ratio === 'landscape'
  const [width, height] = isWide ? [LONG_SIDE, SHORT_SIDE] : [SHORT_SIDE, LONG_SIDE]
  const scale = Math.max(width / picture.width, height / picture.height)
  const [x, y] = [(width - picture.width * scale) * at, (height - picture.height * scale) * at]
  return { width, height, x, y, across: scale, down: scale }
}

async function draw(bytes: Buffer, file: PictureFile): Promise<Buffer> {
  const [ratio, at] = process.argv.slice(2)
  const image = await loadImage(withoutOrientation(bytes, file))
  const stored = { width: image.width, height: image.height }
  const upright = liesOnSide(file.orientation)
    ? { width: stored.height, height: stored.width }
    : stored
  const drawing = ratio === undefined ? whole(upright) : fitted(upright, ratio, Number(at))
  const { width, height } = drawing
  const canvas = createCanvas(width, height)
  const pen = canvas.getContext('2d')
  pen.fillStyle = 'white'
  pen.fillRect(0, 0, width, height)
  pen.imageSmoothingQuality = 'high'
  pen.translate(drawing.x, drawing.y)
  pen.scale(drawing.across, drawing.down)
  pen.transform(...uprightMatrix({ ...stored, orientation: file.orientation }))
  pen.drawImage(image, 0, 0)
  const { data } = pen.getImageData(0, 0, width, height)
  const pixels = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  const quality = ratio === undefined ? QUALITY : FITTED_QUALITY
  return redrawnOutput(pixels, canvas.toBuffer('image/jpeg', quality))
}

lowerPriority()
const bytes = await buffer(process.stdin)
const file = readPictureFile(bytes)
if (file === null) throw new Error('it is no picture')
process.stdout.write((await isWholePicture(bytes, file)) ? await draw(bytes, file) : NOT_WHOLE)
