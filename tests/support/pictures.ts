import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Installation } from './installation'

type Kind = 'png' | 'jpeg' | 'webp'

/** Returns a picture whose left third is red, the middle green and the right blue. */
export function drawPicture(width: number, height: number, kind: Kind = 'png'): Buffer {
  const canvas = createCanvas(width, height)
  const pen = canvas.getContext('2d')
  for (const [index, colour] of ['red', 'lime', 'blue'].entries()) {
    pen.fillStyle = colour
    pen.fillRect((width / 3) * index, 0, width / 3 + 1, height)
  }
  return kind === 'png' ? canvas.toBuffer('image/png') : canvas.toBuffer(`image/${kind}`, 95)
}

/** Returns the same picture whose metadata say how it is turned: 1 to 8. */
export function turnedPicture(kind: Kind, orientation: number): Buffer {
  const bytes = drawPicture(90, 64, kind)
  const exif = Buffer.from('II*\0\b\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0 \0\0\0\0\0\0\0', 'latin1')
  exif.writeUInt16LE(orientation, 18)
  const sized = (name: string, data: Buffer, size: Buffer) =>
    Buffer.concat([size, Buffer.from(name, 'latin1'), data])
  if (kind === 'jpeg') {
    const head = Buffer.from([0xff, 0xe1, 0, 2 + 6 + exif.length])
    return Buffer.concat([bytes.subarray(0, 2), sized('Exif\0\0', exif, head), bytes.subarray(2)])
  }
  if (kind === 'png') {
    const chunk = sized('eXIf', Buffer.concat([exif, Buffer.alloc(4)]), Buffer.alloc(4))
    chunk.writeUInt32BE(exif.length, 0)
    chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
    return Buffer.concat([bytes.subarray(0, 33), chunk, bytes.subarray(33)])
  }
  const extended = Buffer.from('RIFF    WEBPVP8X\n\0\0\0\b\0\0\0Y\0\0?\0\0', 'latin1')
  const size = Buffer.alloc(4)
  size.writeUInt32LE(exif.length)
  const pixels = bytes.subarray(bytes.toString('latin1', 12, 16) === 'VP8X' ? 30 : 12)
  const webp = Buffer.concat([extended, pixels, Buffer.from('EXIF'), size, exif])
  webp.writeUInt32LE(webp.length - 8, 4)
  return webp
}

/** Text in the metadata of a picture by `withExif`. */
export const SECRET_PLACE = 'Secret place 24.8607 N'

/** Adds metadata to a JPEG: that a viewer turns it a quarter clockwise, and a text. */
export function withExif(jpeg: Buffer): Buffer {
  const head = 'Exif\0\0'
  const entries = [
    // Image description: ASCII, at the end of the segment.
    [0x010e, 2, SECRET_PLACE.length + 1, 38],
    // Orientation: short.
    [0x0112, 3, 1, 6],
  ] as const
  const tiff = Buffer.alloc(38 + SECRET_PLACE.length + 1)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(entries.length, 8)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12
    tiff.writeUInt16LE(tag, at)
    tiff.writeUInt16LE(type, at + 2)
    tiff.writeUInt32LE(count, at + 4)
    tiff.writeUInt32LE(value, at + 8)
  }
  tiff.write(SECRET_PLACE, 38, 'latin1')
  const segment = Buffer.alloc(4)
  segment.writeUInt16BE(0xffe1, 0)
  segment.writeUInt16BE(2 + head.length + tiff.length, 2)
  const exif = Buffer.concat([segment, Buffer.from(head, 'latin1'), tiff])
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
}

/** Returns a JPEG's size, and which of red, green and blue is strongest along its middle lines. */
export async function seenIn(jpeg: Buffer) {
  const image = await loadImage(jpeg)
  const { width, height } = image
  const canvas = createCanvas(width, height)
  const pen = canvas.getContext('2d')
  pen.drawImage(image, 0, 0)
  const at = (x: number, y: number) => {
    const [red = 0, green = 0, blue = 0] = pen.getImageData(x, y, 1, 1).data
    const most = Math.max(red, green, blue)
    return most === red ? 'red' : most === green ? 'green' : 'blue'
  }
  const along = (side: number) => [4, side / 2, side - 5].map(Math.round)
  return {
    size: [width, height],
    across: along(width).map((x) => at(x, Math.round(height / 2))),
    down: along(height).map((y) => at(Math.round(width / 2), y)),
  }
}

type Where = Pick<Installation, 'db' | 'dataDir'>

/** Stores a picture of a video as if the video had been made from it. Returns its bytes. */
export async function giveVideoPicture({ db, dataDir }: Where, videoId: string): Promise<Buffer> {
  const bytes = drawPicture(90, 160, 'jpeg')
  const id = randomUUID()
  const key = `${id.slice(-2)}/${id}.jpeg`
  const file = path.join(dataDir, 'videos', key)
  await fs.mkdir(path.dirname(file), { recursive: true })
  await fs.writeFile(file, bytes)
  await db.query(
    `with picture as (
       insert into order_pictures (id, file_key, sha256, created_at) values ($1, $2, $3, engine_now())
       returning id)
     insert into video_pictures (video_id, picture_id) select $4, id from picture`,
    [id, key, createHash('sha256').update(bytes).digest('hex'), videoId],
  )
  return bytes
}
