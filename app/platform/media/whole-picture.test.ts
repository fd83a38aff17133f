import { crc32 } from 'node:zlib'
import { createCanvas } from '@napi-rs/canvas'
import { compressJpegSync } from '@napi-rs/image'
import { expect, test } from 'vitest'
import { readPictureFile } from '~/lib/picture-file'
import { isWholePicture } from './whole-picture.server'

type Kind = 'png' | 'jpeg' | 'webp'

function draw(kind: Kind, width = 67, height = 41): Buffer {
  const canvas = createCanvas(width, height)
  const pen = canvas.getContext('2d')
  for (let x = 0; x < width; x += 3) {
    pen.fillStyle = `hsl(${(x * 47) % 360} 80% 50%)`
    pen.fillRect(x, (x * 7) % height, 9, height)
  }
  return kind === 'png' ? canvas.toBuffer('image/png') : canvas.toBuffer(`image/${kind}`, 90)
}

async function isWhole(bytes: Buffer): Promise<boolean> {
  const file = readPictureFile(bytes)
  return file !== null && (await isWholePicture(bytes, file))
}

const files = {
  png: draw('png'),
  jpeg: draw('jpeg'),
  'progressive jpeg': compressJpegSync(draw('jpeg'), { quality: 80 }),
  webp: draw('webp'),
}

test.each(Object.entries(files))(
  'X13, A11: %s is whole, also with bytes behind it, and not where it is cut',
  async (_name, bytes) => {
    expect(await isWhole(bytes)).toBe(true)
    expect(await isWhole(Buffer.concat([bytes, Buffer.from('ÿÙ harmless', 'latin1')]))).toBe(true)
    const taken: number[] = []
    for (let length = 0; length < bytes.length; length++)
      if (await isWhole(bytes.subarray(0, length))) taken.push(length)
    expect(taken).toEqual([])
  },
)

test('X13: a picture whose data are for another size is not whole', async () => {
  const png = Buffer.from(files.png)
  png.writeUInt32BE(png.readUInt32BE(20) + 1, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  expect(await isWhole(png)).toBe(false)
  for (const jpeg of [files.jpeg, files['progressive jpeg']]) {
    const taller = Buffer.from(jpeg)
    const frame = [0xc0, 0xc2].map((marker) => taller.indexOf(Buffer.from([0xff, marker, 0])))
    const at = Math.max(...frame)
    taller.writeUInt16BE(taller.readUInt16BE(at + 5) + 16, at + 5)
    expect(await isWhole(taller)).toBe(false)
  }
})

test('X13: a JPEG that was cut and closed again is not whole', async () => {
  const cut = files.jpeg.subarray(0, Math.floor(files.jpeg.length * 0.7))
  expect(await isWhole(Buffer.concat([cut, Buffer.from([0xff, 0xd9])]))).toBe(false)
})

test('X13: damage counts in what is shown, not beside it', async () => {
  const damaged = Buffer.from(files.png)
  const data = damaged.indexOf('IDAT')
  damaged[data + 20] = (damaged[data + 20] ?? 0) ^ 1
  expect(await isWhole(damaged)).toBe(false)
  const note = Buffer.from('\0\0\0\x04tEXtnote\0\0\0\0', 'latin1')
  const noted = Buffer.concat([files.png.subarray(0, 33), note, files.png.subarray(33)])
  expect(await isWhole(noted)).toBe(true)
})
