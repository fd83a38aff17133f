import { deflateSync } from 'node:zlib'

/**
 * A picture whose pixels are indexes into a palette of at most 256 colours, with or without opacity.
 */
export type Indexed = {
  width: number
  height: number
  palette: readonly (readonly [number, number, number, number?])[]
  pixels: Uint8Array
}

/** Encodes a PNG with a palette, which is a third of the size of one with full colours. */
export function encodeIndexedPng({ width, height, palette, pixels }: Indexed): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(([red, green, blue]) => [red, green, blue]))),
    chunk('tRNS', Buffer.from(palette.map(([, , , opacity = 255]) => opacity))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(checksum(named))
  return Buffer.concat([length, named, check])
}

/** Returns the CRC-32 for PNG. Not every Node 20 has `zlib.crc32`. */
function checksum(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** Wraps a PNG of at most 256x256 as an icon file. */
export function encodeIcon(png: Buffer, side: number): Buffer {
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
