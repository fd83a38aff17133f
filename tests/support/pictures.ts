import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
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
